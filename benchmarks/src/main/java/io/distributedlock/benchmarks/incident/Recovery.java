package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What comes after a fault: how long the key stays, and when a second client, which waits for the lock, gets it. */
final class Recovery {

    /** Five leases of the renewed locks. */
    static final Duration WINDOW = Duration.ofSeconds(15);

    private static final Duration ATTENTIVE = Duration.ofSeconds(1);
    private static final Duration NEAR_THE_END = Duration.ofMillis(200);
    private static final Duration FINE = Duration.ofMillis(1);
    private static final Duration COARSE = Duration.ofMillis(20);

    private final RunSetup setup;
    private final String owner;
    private final long begin = System.nanoTime();
    private final CompletableFuture<OrphanLifetime> lifetime;
    private final CompletableFuture<Optional<Duration>> next;

    private Recovery(RunSetup setup, String owner) {
        this.setup = setup;
        this.owner = owner;
        this.lifetime = CompletableFuture.supplyAsync(this::watch, setup.background());
        this.next = CompletableFuture.supplyAsync(this::compete, setup.background());
    }

    /** Begins to look, and to count time. */
    static Recovery of(RunSetup setup, String owner) {
        return new Recovery(setup, owner);
    }

    OrphanLifetime lifetime() {
        return lifetime.join();
    }

    /** When the second client got the lock; empty if it waited in vain. */
    Optional<Duration> next() {
        return next.join();
    }

    private OrphanLifetime watch() {
        LockKeyProbe.Holder last = setup.holder();
        Duration goneBy = WINDOW;
        int renewals = 0;
        while (elapsed().compareTo(WINDOW) < 0) {
            LockKeyProbe.Holder now = setup.holder();
            if (!owner.equals(now.owner())) {
                return new OrphanLifetime(earlier(elapsed(), goneBy), true, Duration.ZERO, renewals);
            }
            renewals += LockKeyProbe.isRenewal(last, now) ? 1 : 0;
            last = now;
            goneBy = setup.faultCase().terms().renewed() ? WINDOW : elapsed().plus(now.left());
            boolean fine = elapsed().compareTo(ATTENTIVE) < 0 || now.left().compareTo(NEAR_THE_END) < 0;
            LockKeyProbe.pause(fine ? FINE : COARSE);
        }
        return new OrphanLifetime(elapsed(), false, last.left(), renewals);
    }

    private Optional<Duration> compete() {
        Answer answer = setup.second().acquire(setup.key(), WINDOW);
        if (answer.claim() != Claim.GRANTED) {
            return Optional.empty();
        }
        Duration waited = elapsed();
        setup.second().release(setup.key());
        return Optional.of(waited);
    }

    /** A key that no client renews is gone when its lease is over, even if a busy machine lets us look only later. */
    private static Duration earlier(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
