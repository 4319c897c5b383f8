package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What comes after a fault: how long the key stays, and when a second client, which waits for the lock, gets it. */
final class Aftermath {

    /** Five leases of the renewed locks. */
    static final Duration WINDOW = Duration.ofSeconds(15);

    private static final Duration ATTENTIVE = Duration.ofSeconds(1);
    private static final Duration NEAR_THE_END = Duration.ofMillis(200);
    private static final Duration FINE = Duration.ofMillis(1);
    private static final Duration COARSE = Duration.ofMillis(20);

    private final Stage stage;
    private final String owner;
    private final long begin = System.nanoTime();
    private final CompletableFuture<Stay> stay;
    private final CompletableFuture<Optional<Duration>> next;

    private Aftermath(Stage stage, String owner) {
        this.stage = stage;
        this.owner = owner;
        this.stay = CompletableFuture.supplyAsync(this::watch, stage.background());
        this.next = CompletableFuture.supplyAsync(this::compete, stage.background());
    }

    /** Begins to look, and to count time. */
    static Aftermath of(Stage stage, String owner) {
        return new Aftermath(stage, owner);
    }

    Stay stay() {
        return stay.join();
    }

    /** When the second client got the lock; empty if it waited in vain. */
    Optional<Duration> next() {
        return next.join();
    }

    private Stay watch() {
        Oracle.Holder last = stage.holder();
        Duration goneBy = WINDOW;
        int renewals = 0;
        while (elapsed().compareTo(WINDOW) < 0) {
            Oracle.Holder now = stage.holder();
            if (!owner.equals(now.owner())) {
                return new Stay(earlier(elapsed(), goneBy), true, Duration.ZERO, renewals);
            }
            renewals += Oracle.isRenewal(last, now) ? 1 : 0;
            last = now;
            goneBy = stage.scene().terms().renewed() ? WINDOW : elapsed().plus(now.left());
            boolean fine = elapsed().compareTo(ATTENTIVE) < 0 || now.left().compareTo(NEAR_THE_END) < 0;
            Oracle.pause(fine ? FINE : COARSE);
        }
        return new Stay(elapsed(), false, last.left(), renewals);
    }

    private Optional<Duration> compete() {
        Answer answer = stage.second().acquire(stage.key(), WINDOW);
        if (answer.claim() != Claim.GRANTED) {
            return Optional.empty();
        }
        Duration waited = elapsed();
        stage.second().release(stage.key());
        return Optional.of(waited);
    }

    /** A key that nobody renews is gone when its lease is over, even if a busy machine lets us look only later. */
    private static Duration earlier(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
