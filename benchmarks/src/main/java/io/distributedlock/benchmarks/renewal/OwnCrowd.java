package io.distributedlock.benchmarks.renewal;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisConnections;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** This project's own locks. */
final class OwnCrowd implements Crowd {

    /** Acquisitions that are under way at a time: all at once would wait for each other until some run into the command timeout. */
    private static final int TOGETHER = 500;

    private static final int MAX_TRIES = 10;

    private final List<LockHandle> held = new ArrayList<>();
    private final LockClient client;

    OwnCrowd(int port) {
        RedisConnections connections =
                new RedisConnections(RedisClientSource.of(RedisURI.create("127.0.0.1", port)), COMMAND_TIMEOUT);
        client = LockClient.builder(new RedisLockStore(connections, "lock"))
                .commandTimeout(COMMAND_TIMEOUT)
                .ttl(LEASE)
                .build();
        connect();
    }

    /** Where the machine is busy, the first connection of a process may take longer than a call waits for it. */
    private void connect() {
        for (int tries = 1; ; tries++) {
            try {
                client.acquire("first").release();
                return;
            } catch (LockUnavailableException notYet) {
                if (tries == MAX_TRIES) {
                    throw notYet;
                }
            }
        }
    }

    @Override
    public void take(String name, int count) {
        for (int from = 0; from < count; from += TOGETHER) {
            List<CompletableFuture<LockHandle>> some = new ArrayList<>();
            for (int i = from; i < Math.min(from + TOGETHER, count); i++) {
                some.add(client.acquireAsync(LockRequest.of(name + i)));
            }
            some.forEach(each -> held.add(each.join()));
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
