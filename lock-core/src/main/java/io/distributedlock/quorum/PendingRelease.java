package io.distributedlock.quorum;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The release of one owner at one node, repeated until nothing of it is there or on its way. */
final class PendingRelease {

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration MAX_RETRY = Duration.ofSeconds(2);

    /** A node that is silent for so long is asked once more although its connection has not failed. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** A node that can't be reached may execute what it was sent for so long after its leases, when it comes back. */
    private static final Duration UNREACHABLE_GRACE = Duration.ofMinutes(10);

    private final CompletableFuture<Release> first = new CompletableFuture<>();
    private final AtomicInteger tries = new AtomicInteger();
    private final QuorumNode node;
    private final Residue trace;
    private final PendingReleases all;
    private volatile boolean over;
    private volatile boolean answered;
    private volatile long lingerUntil;
    private volatile long dueAt;

    PendingRelease(QuorumNode node, Residue trace, PendingReleases all) {
        this.node = node;
        this.trace = trace;
        this.all = all;
    }

    QuorumNode node() {
        return node;
    }

    Claim claim() {
        return trace.claim();
    }

    /** Releases whenever it is {@linkplain #check() due}; the result is how the first release ends. */
    CompletionStage<Release> start() {
        release();
        if (!trace.taken().isDone()) {
            trace.taken().thenRun(this::acquireAnswered);
        }
        return first;
    }

    void release() {
        int attempt = tries.incrementAndGet();
        dueAt = all.time().now() + SILENCE.toNanos();
        try {
            releasing().whenComplete((release, failure) -> ended(attempt, release, failure));
        } catch (RuntimeException thrown) {
            ended(attempt, null, thrown);
        }
    }

    private CompletionStage<Release> releasing() {
        return trace.unheard() ? node.discard(trace.owned()) : node.store().release(trace.owned());
    }

    private void ended(int attempt, @Nullable Release release, @Nullable Throwable failure) {
        dueAt = all.time().now() + backoff(attempt).toNanos();
        if (release != null) {
            answered(release);
            first.complete(release);
        } else {
            first.completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
        }
        if (trace.hasNothing()) {
            finish();
        }
    }

    private void answered(Release release) {
        if (!answered) {
            lingerUntil = all.time().now() + trace.linger().toNanos();
            answered = true;
        }
        if (release.settled() && trace.taken().isDone()) {
            finish();
        }
    }

    /** An acquire that was answered after its release may have been executed after it. */
    private void acquireAnswered() {
        if (answered && !over) {
            release();
        }
    }

    private static Duration backoff(int attempt) {
        long doubled = FIRST_RETRY.toNanos() << Math.min(attempt - 1, 10);
        long bounded = Math.min(doubled, MAX_RETRY.toNanos());
        return Duration.ofNanos(bounded - ThreadLocalRandom.current().nextLong(bounded / 4 + 1));
    }

    /** Repeats the release if it is due, or gives up if nothing can be left. */
    void check() {
        if (!over && all.time().until(dueAt).isZero()) {
            if (isGivenUp()) {
                finish();
            } else {
                release();
            }
        }
    }

    /** A node that has answered keeps nothing that has expired, but may still have something on its way for a while. */
    private boolean isGivenUp() {
        long until = answered && trace.taken().isDone() ? lingerUntil : trace.expiresAt() + UNREACHABLE_GRACE.toNanos();
        return all.time().until(until).isZero();
    }

    private void finish() {
        over = true;
        all.finished(this);
    }
}
