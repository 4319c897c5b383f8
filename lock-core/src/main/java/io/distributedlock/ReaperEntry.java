package io.distributedlock;

import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One claim to clean up after. It ends as resolved, on a definite answer after which nothing of the claim can be executed any more; or as
 * expired, when whatever could have been written has run out.
 */
final class ReaperEntry {

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration MAX_RETRY = Duration.ofSeconds(1);

    private final Reaper reaper;
    private final Cleanup cleanup;
    private final AtomicInteger tries = new AtomicInteger();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Timeline.Timer timer = Timeline.Timer.NONE;

    ReaperEntry(Reaper reaper, Cleanup cleanup) {
        this.reaper = reaper;
        this.cleanup = cleanup;
    }

    void tryNow() {
        timer.cancel();
        if (ended.isDone()) {
            return;
        }
        int attempt = tries.incrementAndGet();
        try {
            reaper.release(cleanup.claim()).whenComplete((release, failure) -> answered(attempt, release));
        } catch (RuntimeException failure) {
            answered(attempt, null);
        }
        again(attempt, backoff(attempt, FIRST_RETRY, MAX_RETRY));
    }

    /** A late answer to an early try counts as much as any other; only the latest try plans the next one. */
    private void answered(int attempt, @Nullable Release release) {
        if (release == null) {
            return;
        }
        if (release.settled() || reaper.time().until(cleanup.lingerUntil()).isZero()) {
            end();
        } else {
            again(attempt, backoff(attempt, cleanup.pace(), cleanup.pace().multipliedBy(16)));
        }
    }

    private void again(int attempt, Duration delay) {
        if (attempt != tries.get() || ended.isDone()) {
            return;
        }
        timer.cancel();
        if (timeLeft().isZero()) {
            end();
        } else {
            timer = reaper.time().after(delay, this::tryNow);
        }
    }

    private static Duration backoff(int attempt, Duration first, Duration max) {
        Duration doubled = first.multipliedBy(1L << Math.min(attempt - 1, 10));
        Duration capped = Lease.min(doubled, max);
        return capped.minus(capped.dividedBy(4))
                .plusNanos(ThreadLocalRandom.current().nextLong(capped.toNanos() / 4 + 1));
    }

    Duration timeLeft() {
        return reaper.time().until(cleanup.expiresAt());
    }

    void end() {
        timer.cancel();
        reaper.remove(cleanup.claim());
        ended.complete(null);
    }

    CompletableFuture<Void> ended() {
        return ended;
    }
}
