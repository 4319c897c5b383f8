package io.distributedlock.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.testkit.process.StallMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand waits for one lock end together, in real time: each caller is notified soon, and another lock that is to
 * be renewed at that time is renewed.
 */
class MassTimeoutTest {

    private static final int WAITERS = 10_000;
    private static final LockRequest WANTED = LockRequest.of("42");
    private static final Duration WAIT = Duration.ofSeconds(10);
    /** The other lock is renewed after about a third of it, when all the waits end. */
    private static final Duration LEASE = WAIT.multipliedBy(3);

    private static final Duration SOON = Duration.ofSeconds(1);
    /** So long that no call is overdue in a process that stands still. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(1);

    @Test
    void waitsThatEndTogetherCostNoOtherLock() {
        endTogether();
    }

    @Test
    @Tag("long")
    void eachCallerLearnsOfItsEndWithinASecond() {
        try (StallMeter stalls = new StallMeter()) {
            Duration longest = endTogether();
            assertThat(longest).isLessThanOrEqualTo(WAIT.plus(SOON).plus(stalls.total()));
        }
    }

    /** Returns how long the longest of the calls took. */
    private static Duration endTogether() {
        InMemoryLockStore store = new InMemoryLockStore();
        try (LockClient elsewhere = LockClient.builder(store).build();
                LockClient client = LockClient.builder(store)
                        .ttl(LEASE)
                        .commandTimeout(COMMAND_TIMEOUT)
                        .maxWaiters(WAITERS, WAITERS)
                        .build()) {
            LockHandle held = elsewhere.acquire(WANTED);
            LockHandle other = client.acquire("other");
            List<CompletableFuture<Ended>> calls = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                calls.add(call(client));
            }
            await().until(() -> calls.stream().allMatch(CompletableFuture::isDone));
            List<Ended> ends = calls.stream().map(CompletableFuture::join).toList();
            Duration longest =
                    ends.stream().map(Ended::took).max(Duration::compareTo).orElseThrow();
            assertThat(ends).allMatch(end -> end.failure() instanceof LockNotAcquiredException);
            await().until(() -> other.remaining().compareTo(LEASE.minus(WAIT)) > 0);
            assertThat(other.lost()).isNotDone();
            other.release();
            held.release();
            return longest;
        }
    }

    private static CompletableFuture<Ended> call(LockClient client) {
        long begin = System.nanoTime();
        return client.acquireAsync(WANTED.withWaitTime(WAIT))
                .handle((lock, failure) -> new Ended(Duration.ofNanos(System.nanoTime() - begin), failure));
    }

    private record Ended(Duration took, @Nullable Throwable failure) {}
}
