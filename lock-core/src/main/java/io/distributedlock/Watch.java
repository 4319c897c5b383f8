package io.distributedlock;

import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The watch over one held lock: one timer, which is due at the next renewal or at the end of the lease, whichever comes first.
 *
 * <p>A renewal that fails is tried again as long as the lease lasts. Its effect being unknown does no harm: the deadline does not move, and
 * repeating it is safe.
 */
final class Watch {

    /** Asks whether the lock is still ours without changing its expiry, because an extension never shortens a lease. */
    private static final Duration JUST_ASK = Duration.ofMillis(1);

    private final HeldLock lock;
    private final LockStore store;
    private final Timeline time;
    private final StoreCalls calls;
    private final Notifier notifier;
    private volatile Timeline.Timer timer = Timeline.Timer.NONE;
    private volatile boolean ended;
    private volatile boolean atRisk;
    private volatile boolean stretching;
    private volatile boolean doubted;

    Watch(HeldLock lock, LockStore store, Timeline time, StoreCalls calls, Notifier notifier) {
        this.lock = lock;
        this.store = store;
        this.time = time;
        this.calls = calls;
        this.notifier = notifier;
        this.stretching = lock.grant().isStretched();
    }

    void start() {
        if (stretching) {
            ask();
        } else {
            planNext(lock.grant().sentAt());
        }
    }

    /** A third of the lease after the last command was sent, or earlier if less than a lease was promised: a third into what is left. */
    private void planNext(long lastSentAt) {
        if (lock.lease().renewed()) {
            Duration period = lock.lease().renewalPeriod();
            long jitter = ThreadLocalRandom.current().nextLong(period.toNanos() / 10 + 1);
            Duration sincePeriod = time.until(lastSentAt + period.toNanos() - jitter);
            Duration left = time.until(lock.safeUntil());
            checkIn(left.compareTo(period) < 0 ? left.dividedBy(3) : Lease.min(sincePeriod, left.minus(period)));
        } else {
            checkIn(time.until(lock.safeUntil()));
        }
    }

    private void checkIn(Duration delay) {
        Duration bounded = Lease.min(delay, time.until(lock.safeUntil()));
        timer.cancel();
        timer = time.after(bounded, this::check);
        if (ended) {
            timer.cancel();
        }
    }

    private void check() {
        if (ended) {
            return;
        }
        if (lock.isOverdue()) {
            lock.lose(LossReason.DEADLINE);
        } else if (lock.lease().renewed() || stretching || doubted) {
            ask();
        } else {
            planNext(time.now());
        }
    }

    /** The store was away and is back, perhaps without its data: asks until it has answered. */
    void revalidate() {
        if (!ended) {
            doubted = true;
            ask();
        }
    }

    private void ask() {
        extend(lock.lease().renewed() || stretching ? lock.lease().ttl() : JUST_ASK);
    }

    private void extend(Duration ttl) {
        long sentAt = time.now();
        Duration limit = Lease.min(lock.lease().renewalTimeout(), time.until(lock.safeUntil()));
        calls.within(
                limit,
                () -> store.extend(lock.claim(), lock.grant().serverToken(), ttl),
                (held, failure) -> answered(sentAt, ttl, held, failure),
                (held, failure) -> {
                    if (held != null) {
                        confirmed(sentAt, ttl, held);
                    }
                });
    }

    private void answered(long sentAt, Duration ttl, @Nullable Boolean held, @Nullable StoreException failure) {
        if (ended) {
            return;
        }
        if (held != null) {
            confirmed(sentAt, ttl, held);
            planNext(sentAt);
        } else {
            failed(failure);
            checkIn(lock.lease().renewalRetry());
        }
    }

    private void confirmed(long sentAt, Duration ttl, boolean held) {
        if (ended) {
            return;
        }
        if (held) {
            lock.extended(sentAt, ttl);
            atRisk = false;
            doubted = false;
            stretching = stretching && !ttl.equals(lock.lease().ttl());
        } else {
            lock.lose(LossReason.NOT_OWNER);
        }
    }

    private void failed(@Nullable StoreException failure) {
        if (!atRisk && failure != null) {
            atRisk = true;
            notifier.tell(new LockEvent.RenewalFailed(lock.name(), lock.key(), lock.remaining(), failure));
        }
    }

    void end() {
        ended = true;
        timer.cancel();
    }
}
