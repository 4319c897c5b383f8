package io.distributedlock.benchmarks.renewal;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/** This project's own locks. */
final class OwnHeldLocks implements HeldLocks {

    /**
     * Acquisitions that are under way at a time: all at once would wait for each other until some run into the command
     * timeout.
     */
    private static final int TOGETHER = 200;

    private static final int MAX_TRIES = 10;

    private final List<LockHandle> held = new ArrayList<>();
    private final LockClient client;

    OwnHeldLocks(int port) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create("127.0.0.1", port)), COMMAND_TIMEOUT);
        client = LockClient.builder(new RedisLockStore(connections, "lock"))
                .commandTimeout(COMMAND_TIMEOUT)
                .ttl(LEASE)
                .build();
        take("first", 1);
        release();
    }

    @Override
    public void take(String name, int count) {
        for (int from = 0; from < count; from += TOGETHER) {
            List<LockRequest> some = IntStream.range(from, Math.min(from + TOGETHER, count))
                    .mapToObj(i -> LockRequest.of(name + i))
                    .toList();
            List<CompletableFuture<LockHandle>> grants =
                    some.stream().map(client::acquireAsync).toList();
            for (int i = 0; i < some.size(); i++) {
                held.add(granted(some.get(i), grants.get(i)));
            }
        }
    }

    /** A process that is still cold, on a busy machine, may be slower than the command timeout. */
    private LockHandle granted(LockRequest request, CompletableFuture<LockHandle> grant) {
        CompletableFuture<LockHandle> next = grant;
        for (int tries = 1; ; tries++) {
            try {
                return next.join();
            } catch (CompletionException failure) {
                if (tries == MAX_TRIES) {
                    throw failure;
                }
                next = client.acquireAsync(request);
            }
        }
    }

    @Override
    public void release() {
        held.forEach(LockHandle::release);
        held.clear();
    }

    @Override
    public void close() {
        client.close();
    }
}
