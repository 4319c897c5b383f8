package io.distributedlock.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.ScriptedCall.Verb;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What the end of many waits costs, counted in processor time of the thread that runs the timers: the least of some
 * rounds, because a cold heap and neighbours that take the caches only ever add to it, and add most to the larger line.
 */
class MassTimeoutCostTest {

    private static final int FEW = 2_000;
    private static final int MANY = 8 * FEW;
    private static final int ROUNDS = 3;
    private static final Duration WAIT = Duration.ofSeconds(2);

    @Test
    void theCostGrowsWithTheNumberOfWaitersAndNotWithItsSquare() {
        costOfTheEnd(MANY);
        long few = Long.MAX_VALUE;
        long many = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            few = Math.min(few, costOfTheEnd(FEW));
            many = Math.min(many, costOfTheEnd(MANY));
        }
        assertThat(many).as("nanoseconds for %d, for %d: %d", MANY, FEW, few).isLessThan(3 * few * MANY / FEW);
    }

    private static long costOfTheEnd(int waiters) {
        Bench bench = new Bench();
        LockClient client = bench.settings().maxWaiters(waiters, waiters).build();
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofHours(1)));
        List<CompletableFuture<LockHandle>> calls = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            calls.add(client.acquireAsync(LockRequest.of("42").withWaitTime(WAIT)));
            bench.advance(Duration.ofNanos(1_000));
        }
        bench.advance(WAIT.minusMillis(100));
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        bench.advanceMillis(200);
        long cost = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
        assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
        client.close();
        return cost;
    }
}
