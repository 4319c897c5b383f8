package io.distributedlock.testkit.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Several Redis servers that are started at once and ended together, and know nothing of each other. */
public final class RedisFleet implements AutoCloseable {
    private static final Executor IN_PARALLEL = task -> new Thread(task, "testkit-start").start();

    private final List<RedisServer> servers;

    private RedisFleet(List<RedisServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /**
     * Starts that many masters that are independent of each other, and returns when all answer.
     *
     * @param arguments further arguments of each redis-server, as in {@link RedisServer#start}
     * @throws IllegalStateException if one of them does not start; the others are ended then
     */
    public static RedisFleet start(int count, String... arguments) {
        return start(count, () -> RedisServer.start(arguments));
    }

    public static RedisFleet start(int count, Supplier<RedisServer> start) {
        List<CompletableFuture<RedisServer>> starts = Stream.generate(
                        () -> CompletableFuture.supplyAsync(start, IN_PARALLEL))
                .limit(count)
                .toList();
        List<RedisServer> started = new ArrayList<>();
        @Nullable CompletionException failure = null;
        for (CompletableFuture<RedisServer> each : starts) {
            try {
                started.add(each.join());
            } catch (CompletionException e) {
                failure = e;
            }
        }
        if (failure != null) {
            started.forEach(RedisServer::close);
            throw new IllegalStateException("one of " + count + " servers did not start", failure.getCause());
        }
        return new RedisFleet(started);
    }

    /** The servers, always in the same order. */
    public List<RedisServer> servers() {
        return servers;
    }

    /** The server at this place, from 0. */
    public RedisServer server(int index) {
        return servers.get(index);
    }

    /** The addresses in the form {@code redis://127.0.0.1:port}. */
    public List<String> uris() {
        return servers.stream().map(RedisServer::uri).toList();
    }

    /** Those whose process exists and is not paused. */
    public List<RedisServer> running() {
        return servers.stream().filter(RedisServer::isRunning).toList();
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
