package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.provider.ProviderRelay;
import io.distributedlock.testkit.provider.RentedServer;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long after a release a client that polls has the lock. Prints the figure, which a busy machine may miss. */
@Tag("long")
class RentedHandOverTest {

    private static final int HAND_OVERS = 34;
    /** Then a waiter sleeps for as long as it ever does. */
    private static final int TRIES = 6;

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final LockRequest WAITING =
            LockRequest.of("42").withTtl(LEASE).withWaitTime(Duration.ofMinutes(2));

    @ParameterizedTest
    @EnumSource(names = {"ALIBABA_PROXY", "ELASTICACHE_SERVERLESS", "TAIR_WITHOUT_SCRIPTS"})
    void aWaiterThatPollsHasTheLockSoonAfterItsRelease(RentedServer rented) {
        try (RedisServer server = RedisServer.start();
                ProviderRelay relay = ProviderRelay.to(server.port(), rented.profile());
                LockClient one = client(relay);
                LockClient other = client(relay)) {
            long[] nanos = new long[HAND_OVERS];
            LockHandle held = one.acquire(WAITING);
            for (int i = 0; i < HAND_OVERS; i++) {
                CompletableFuture<LockHandle> waiter = (i % 2 == 0 ? other : one).acquireAsync(WAITING);
                long before = tries(server);
                await().until(() -> tries(server) >= before + TRIES);
                assertThat(waiter).isNotDone();
                CompletableFuture<Long> granted = waiter.thenApply(lock -> System.nanoTime());
                held.release();
                long released = System.nanoTime();
                nanos[i] = Math.max(0, granted.orTimeout(30, TimeUnit.SECONDS).join() - released);
                held = waiter.join();
            }
            held.release();
            print(rented, nanos);
        }
    }

    private static LockClient client(ProviderRelay relay) {
        return LockClient.builder(RedisLockStore.of(RedisURI.create(relay.uri())))
                .build();
    }

    /** Scripts, or the command that takes a lock without one. */
    private static long tries(RedisServer server) {
        return String.valueOf(server.command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:") || line.startsWith("cmdstat_set:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    private static void print(RentedServer rented, long[] nanos) {
        Arrays.sort(nanos);
        long within = Arrays.stream(nanos)
                .filter(each -> each <= TimeUnit.MILLISECONDS.toNanos(200))
                .count();
        System.out.printf(
                "hand-over: behind %s median: %d ms longest: %d ms within 200 ms: %d of %d%n",
                rented,
                TimeUnit.NANOSECONDS.toMillis(nanos[HAND_OVERS / 2]),
                TimeUnit.NANOSECONDS.toMillis(nanos[HAND_OVERS - 1]),
                within,
                HAND_OVERS);
    }
}
