package com.example.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A real redis-server on a free port of the loopback interface that keeps nothing on disk. */
final class EmbeddedRedis implements AutoCloseable {

    private static final int TRIES = 3;

    private final int port;
    private final RedisKeeper keeper;

    private EmbeddedRedis(int port, RedisKeeper keeper) {
        this.port = port;
        this.keeper = keeper;
    }

    /**
     * Starts a server and returns when it accepts connections.
     *
     * @throws EmbeddedRedisException if there is no server for this platform, or it does not start
     */
    static EmbeddedRedis start() {
        RedisBinary binary = RedisBinary.ofThisMachine();
        for (int tries = 1; ; tries++) {
            try {
                int port = freePort();
                return new EmbeddedRedis(port, RedisKeeper.start(binary, port));
            } catch (IOException e) {
                // Another process may have taken the port that was free a moment ago.
                if (tries == TRIES) {
                    throw new EmbeddedRedisException("redis-server did not start: " + e.getMessage(), e);
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        keeper.close();
    }
}
