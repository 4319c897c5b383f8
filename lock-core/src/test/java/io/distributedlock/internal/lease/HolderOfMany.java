package io.distributedlock.internal.lease;

import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process that takes many locks, and answers questions about them: how many it still has, and what they weigh. */
public final class HolderOfMany {

    static final Duration TTL = Duration.ofSeconds(9);

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int TOGETHER = 200;
    private static final int COLLECTIONS = 3;

    private HolderOfMany() {}

    public static void main(String[] arguments) throws IOException {
        int count = Integer.parseInt(arguments[1]);
        try (LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(arguments[0])))
                .ttl(TTL)
                .build()) {
            await().atMost(START_LIMIT)
                    .ignoreExceptions()
                    .until(() -> client.tryAcquire("first")
                            .map(first -> first.releaseAsync())
                            .isPresent());
            take(client, "warm-up-", count / 10).forEach(LockHandle::release);
            long before = usedHeap();
            List<LockHandle> held = take(client, "lock-", count);
            System.out.println("taken");
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (questions.readLine() != null) {
                long stillHeld = held.stream().filter(LockHandle::isHeld).count();
                System.out.println("held " + stillHeld + " bytes " + (usedHeap() - before) / count);
            }
        }
    }

    private static List<LockHandle> take(LockClient client, String name, int count) {
        List<LockHandle> taken = new ArrayList<>();
        for (int from = 0; from < count; from += TOGETHER) {
            List<CompletableFuture<LockHandle>> some = new ArrayList<>();
            for (int i = from; i < Math.min(from + TOGETHER, count); i++) {
                some.add(client.acquireAsync(LockRequest.of(name + i).withWaitTime(TTL)));
            }
            some.forEach(each -> taken.add(each.join()));
        }
        return taken;
    }

    private static long usedHeap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
