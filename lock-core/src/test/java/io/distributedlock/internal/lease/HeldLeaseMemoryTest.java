package io.distributedlock.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What one renewed lock costs in memory, with everything that belongs to it: handle, claim, id, timer, and its place in
 * every map.
 */
@Tag("long")
@Timeout(120)
class HeldLeaseMemoryTest {

    private static final int ROUNDS = 5;
    private static final int PER_ROUND = 10_000;
    private static final int MANY = ROUNDS * PER_ROUND;
    private static final int WARM_UP = 1_000;
    private static final long LIMIT = 700;

    /** Says yes to everything and remembers nothing. */
    private static final class AgreeableStore implements LockStore {

        private final AtomicLong tokens = new AtomicLong();

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return CompletableFuture.completedFuture(new AcquireResult.Granted(tokens.incrementAndGet(), ttl, true));
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            return CompletableFuture.completedFuture(ttl);
        }

        @Override
        public CompletionStage<Release> release(Claim claim) {
            return CompletableFuture.completedFuture(Release.of(true, true));
        }

        @Override
        public void close() {}
    }

    @Test
    void aRenewedLockCostsAtMostSevenHundredBytes() {
        try (LockClient client = LockClient.builder(new AgreeableStore()).build()) {
            LockHandle[] handles = new LockHandle[WARM_UP + MANY];
            acquire(client, handles, 0, WARM_UP);
            long each = median(LongStream.range(0, ROUNDS).map(round -> {
                long before = usedAfterCollection();
                acquire(client, handles, WARM_UP + (int) round * PER_ROUND, PER_ROUND);
                return (usedAfterCollection() - before) / PER_ROUND;
            }));
            System.out.println("A renewed lock takes " + each + " bytes");
            assertThat(each).isBetween(100L, LIMIT);
            assertThat(client.held()).hasSize(WARM_UP + MANY);
            Reference.reachabilityFence(handles);
        }
    }

    /** What other tests have left in this process may be collected in one of the rounds. */
    private static long median(LongStream rounds) {
        return rounds.sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
    }

    private static void acquire(LockClient client, LockHandle[] handles, int from, int count) {
        for (int i = from; i < from + count; i++) {
            handles[i] = client.acquire(LockRequest.of("orders", "customer-" + i));
        }
    }

    private static long usedAfterCollection() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
