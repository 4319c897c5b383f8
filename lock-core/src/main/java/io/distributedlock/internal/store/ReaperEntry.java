package io.distributedlock.internal.store;

import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One claim to clean up after. It ends as resolved, on a definite answer after which nothing of the claim can be
 * executed any more; or as expired, when whatever could have been written has run out.
 */
final class ReaperEntry implements Comparable<ReaperEntry> {

    private static final int ENDED = Integer.MAX_VALUE;
    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration MAX_RETRY = Duration.ofSeconds(1);

    /** How much longer than its leases a server that can't be reached is waited for. */
    private static final Duration UNREACHABLE_GRACE = Duration.ofMinutes(10);

    private final Reaper reaper;
    private final Cleanup cleanup;
    private final long number;
    private final AtomicInteger tries = new AtomicInteger();
    /** The first try whose answer counts. */
    private final AtomicInteger firstToCount = new AtomicInteger();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    /** When all that can have been written has expired. */
    private volatile long expiresAt;

    /** The first try to count when one was answered last. */
    private volatile int answeredSince = -1;

    private volatile long lingerUntil;
    private volatile Scheduler.Timer timer = Scheduler.Timer.NONE;

    /** @param number of its own, which distinguishes it from others that expire at the same time */
    ReaperEntry(Reaper reaper, Cleanup cleanup, long number) {
        this.reaper = reaper;
        this.cleanup = cleanup;
        this.expiresAt = cleanup.expiresAt();
        this.number = number;
    }

    void tryNow() {
        timer.cancel();
        if (ended.isDone()) {
            return;
        }
        int attempt = tries.incrementAndGet();
        try {
            reaper.release(cleanup.claim()).whenComplete((release, failure) -> answered(attempt, release));
        } catch (RuntimeException | Error failure) {
            answered(attempt, null);
        }
        again(attempt, backoff(attempt, FIRST_RETRY, MAX_RETRY));
    }

    /**
     * Something else was sent for the claim: from now on only answers to later tries count. Returns false if it has
     * ended.
     *
     * @param other what there is to clean up then, for the same claim
     */
    boolean startOver(Cleanup other) {
        expiresAt = Durations.later(expiresAt, other.expiresAt());
        int before = firstToCount.get();
        while (before != ENDED && !firstToCount.compareAndSet(before, tries.get() + 1)) {
            before = firstToCount.get();
        }
        return before != ENDED;
    }

    /** A late answer to an early try counts as much as any other; only the latest try plans the next one. */
    private void answered(int attempt, @Nullable Release release) {
        int first = firstToCount.get();
        if (release == null || attempt < first) {
            return;
        }
        Scheduler time = reaper.time();
        if (answeredSince != first) {
            lingerUntil = time.now() + cleanup.linger().toNanos();
            answeredSince = first;
        }
        if (release.settled() || time.until(lingerUntil).isZero()) {
            end(first, Ambiguity.CLEANED);
        } else {
            again(attempt, backoff(attempt, cleanup.pace(), cleanup.pace().multipliedBy(16)));
        }
    }

    private void again(int attempt, Duration delay) {
        int first = firstToCount.get();
        if (attempt != tries.get() || ended.isDone()) {
            return;
        }
        timer.cancel();
        if (isGivenUp()) {
            end(first, Ambiguity.EXPIRED);
        } else {
            timer = reaper.time().after(delay, this::tryNow);
        }
    }

    private static Duration backoff(int attempt, Duration first, Duration max) {
        Duration doubled = first.multipliedBy(1L << Math.min(attempt - 1, 10));
        Duration capped = Durations.min(doubled, max);
        return capped.minus(capped.dividedBy(4))
                .plusNanos(ThreadLocalRandom.current().nextLong(capped.toNanos() / 4 + 1));
    }

    /**
     * A store that has answered since keeps nothing that has expired. One that could not be reached may still execute
     * what it was sent, when it comes back.
     */
    private boolean isGivenUp() {
        boolean everAnswered = answeredSince == firstToCount.get();
        long until = expiresAt + (everAnswered ? 0 : UNREACHABLE_GRACE.toNanos());
        boolean lingers = everAnswered && !reaper.time().until(lingerUntil).isZero();
        return !lingers && reaper.time().until(until).isZero();
    }

    /** By expiry, on a clock of which only differences mean anything. */
    @Override
    public int compareTo(ReaperEntry other) {
        long later = cleanup.expiresAt() - other.cleanup.expiresAt();
        return later == 0 ? Long.compare(number, other.number) : Long.signum(later);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }

    void end(Ambiguity how) {
        int first = firstToCount.get();
        while (first != ENDED && !end(first, how)) {
            first = firstToCount.get();
        }
    }

    /** Ends it, unless it has ended or started over since {@code first} was the first try to count. */
    private boolean end(int first, Ambiguity how) {
        boolean ends = first != ENDED && firstToCount.compareAndSet(first, ENDED);
        if (ends) {
            timer.cancel();
            ended.complete(null);
            reaper.ended(this, cleanup.claim(), how, expiresAt);
        }
        return ends;
    }

    CompletableFuture<Void> ended() {
        return ended;
    }
}
