package com.example.shop.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A real redis-server on a free port of the loopback interface that keeps nothing on disk.
 *
 * <p>Between this JVM and the server stands a shell, the keeper: it stops the server and deletes its folder when the JVM closes the keeper's
 * input or ends, be it by SIGKILL.
 */
final class EmbeddedRedis implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(10);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
    private static final int TRIES = 3;

    private final int port;
    private final Path folder;
    private final Process keeper;

    private EmbeddedRedis(int port, Path folder, Process keeper) {
        this.port = port;
        this.folder = folder;
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
                return start(binary);
            } catch (EmbeddedRedisException e) {
                // The port was free a moment ago, but somebody else may have taken it since.
                if (tries == TRIES) {
                    throw e;
                }
            } catch (IOException e) {
                throw new EmbeddedRedisException(e.getMessage(), e);
            }
        }
    }

    private static EmbeddedRedis start(RedisBinary binary) throws IOException {
        try (InputStream server = binary.open()) {
            Path folder = Files.createTempDirectory("shop-redis-");
            int port = freePort();
            EmbeddedRedis redis = new EmbeddedRedis(port, folder, startKeeper(folder, port));
        }
        redis.awaitStart();
        return redis;
    }
}
