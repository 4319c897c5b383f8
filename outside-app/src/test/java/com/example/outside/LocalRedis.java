package com.example.outside;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisServer;

/** A redis-server of a test's own. */
final class LocalRedis implements AutoCloseable {

    private final RedisServer server;
    private final int port;
    private final @Nullable String password;

    private LocalRedis(RedisServer server, int port, @Nullable String password) {
        this.server = server;
        this.port = port;
        this.password = password;
    }

    static LocalRedis start() {
        return start(null);
    }

    static LocalRedis start(@Nullable String password) {
        try {
            int port = freePort();
            var settings = RedisServer.builder().port(port).setting("save \"\"");
            RedisServer server = (password == null ? settings : settings.setting("requirepass " + password)).build();
            server.start();
            return new LocalRedis(server, port, password);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    String uri() {
        return "redis://localhost:" + port;
    }

    boolean has(String key) {
        String credentials = password == null ? "" : ":" + password + "@";
        RedisClient client = RedisClient.create("redis://" + credentials + "localhost:" + port);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().exists(key) == 1;
        } finally {
            client.shutdown();
        }
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }
}
