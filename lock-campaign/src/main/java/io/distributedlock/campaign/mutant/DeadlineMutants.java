package io.distributedlock.campaign.mutant;

import io.distributedlock.campaign.client.ChangedGrant;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.ForwardingLockStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Mistakes that can be made when a holder reckons until when its lease lasts. */
final class DeadlineMutants {

    /** What the protocol takes off a lease from 0.9 to 10 s: a hundredth and 2 ms for drift, and 100 ms. */
    private static final Duration FIXED_MARGIN = Duration.ofMillis(102);

    private static final long FAST = 1_000;
    private static final long REAL = 991;

    private DeadlineMutants() {}

    static LockStore fromReceiveTime(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                long sentAt = System.nanoTime();
                return super.acquire(claim, ttl, patience)
                        .thenApply(answer -> longer(answer, left -> left.plusNanos(System.nanoTime() - sentAt)));
            }
        };
    }

    static LockStore noMargin(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl, patience)
                        .thenApply(answer -> longer(
                                answer,
                                left -> left.plus(FIXED_MARGIN)
                                        .multipliedBy(100)
                                        .dividedBy(99)));
            }
        };
    }

    /** The answer to a repetition says how much of the lease is left; this mutant takes it for a new lease. */
    static LockStore wholeLeaseForRepetition(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl, patience).thenApply(answer -> longer(answer, left -> ttl));
            }
        };
    }

    /** No mistake but a fault: the server's clock is as fast as the protocol still has to bear. */
    static LockStore fastServerClock(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl.multipliedBy(REAL).dividedBy(FAST), patience)
                        .thenApply(answer ->
                                longer(answer, left -> left.multipliedBy(FAST).dividedBy(REAL)));
            }

            @Override
            public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
                return super.extend(claim, token, ttl.multipliedBy(REAL).dividedBy(FAST));
            }
        };
    }

    private static AcquireResult longer(AcquireResult answer, UnaryOperator<Duration> change) {
        return ChangedGrant.in(
                answer, granted -> new Granted(granted.token(), change.apply(granted.remaining()), granted.fresh()));
    }
}
