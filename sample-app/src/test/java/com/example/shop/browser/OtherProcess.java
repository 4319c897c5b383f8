package com.example.shop.browser;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A client of the shop's locks as another process has it: with a name, a connection and waiters of its own. */
final class OtherProcess implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final List<LockHandle> held = new ArrayList<>();
    private final LockClient client;

    OtherProcess(int redisPort, String application, String host, long pid) {
        RedisClientSource redis = RedisClientSource.of(RedisURI.create("redis://127.0.0.1:" + redisPort));
        client = LockClient.builder(
                        new RedisLockStore(new RedisLockConnection(redis, Duration.ofSeconds(5)), "lock:shop"))
                .identity(new ClientIdentity(application, "2.1", host, pid, Instant.now()))
                .build();
        client.connect(LONG);
    }

    void hold(LockRequest request) {
        held.add(client.acquire(request.withWaitTime(LONG)));
    }

    void waitFor(LockRequest request) {
        var unused = client.acquireAsync(request.withWaitTime(LONG)).thenAccept(LockHandle::release);
    }

    void waitInVainFor(LockRequest request) {
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> client.acquire(request.withWaitTime(SHORT)));
    }

    void release() {
        held.forEach(LockHandle::release);
        held.clear();
    }

    @Override
    public void close() {
        release();
        client.close();
    }
}
