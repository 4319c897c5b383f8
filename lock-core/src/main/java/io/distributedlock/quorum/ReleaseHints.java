package io.distributedlock.quorum;

import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The hints of the nodes to a claim that they have refused. Trying again is worth while when as many nodes report a
 * release as it lacks; or a little after the first one, because the others may have notified other claims. That time is
 * random, so that claims that share the nodes' hints don't come together. It is worth while after a second in any case,
 * because the notified process may be gone, or the message lost.
 */
final class ReleaseHints {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);
    private static final Duration SHORTEST_SLEEP = Duration.ofMillis(900);
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

    private final CompletableFuture<Optional<Granted>> news = new CompletableFuture<>();
    private final AtomicInteger released = new AtomicInteger();
    private final int lacking;
    private final Scheduler time;

    /** @param lacking how many nodes more would have made a majority */
    ReleaseHints(int lacking, Scheduler time) {
        this.lacking = lacking;
        this.time = time;
        Scheduler.Timer timer = time.after(between(SHORTEST_SLEEP, LONGEST_SLEEP), this::complete);
        news.thenRun(timer::cancel);
    }

    void listen(Refused refused) {
        refused.grantNotification().thenAccept(any -> released());
    }

    private void released() {
        int count = released.incrementAndGet();
        if (count >= lacking) {
            complete();
        } else if (count == 1) {
            time.after(between(SHORTEST_PAUSE, LONGEST_PAUSE), this::complete);
        }
    }

    private void complete() {
        news.complete(Optional.empty());
    }

    private static Duration between(Duration shortest, Duration longest) {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(shortest.toNanos(), longest.toNanos()));
    }

    /** Completes once, when trying again is worth while. */
    CompletableFuture<Optional<Granted>> news() {
        return news;
    }
}
