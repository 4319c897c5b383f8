package io.distributedlock.internal.acquire;

import io.distributedlock.internal.support.Durations;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The tries of one acquisition: sends them, sorts their ends, and counts those whose effect is unknown. */
final class AcquireAttempts {

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger unresolved = new AtomicInteger();
    private volatile boolean queued;
    private final AcquireContext context;
    private final AcquirePlan plan;
    private final Acquisition acquisition;

    AcquireAttempts(AcquireContext context, AcquirePlan plan, Acquisition acquisition) {
        this.context = context;
        this.plan = plan;
        this.acquisition = acquisition;
    }

    int sent() {
        return sent.get();
    }

    boolean anyUnresolved() {
        return unresolved.get() > 0;
    }

    /**
     * Whether the store may still do something for this claim: execute a try, or give it the lock when its turn comes.
     */
    boolean mayBeServed() {
        return queued || anyUnresolved();
    }

    /**
     * Starts a try as soon as the store can be reached; until then nothing has been sent. A connection that is being
     * opened is waited for as long as the lock is, and for a command timeout at least.
     */
    void start(Duration limit) {
        CompletableFuture<?> ready = context.ready();
        if (ready.isDone() && !ready.isCompletedExceptionally()) {
            send(limit);
            return;
        }
        context.calls()
                .within(
                        Durations.max(plan.lease().commandTimeout(), acquisition.patience()),
                        () -> ready.thenApply(open -> Boolean.TRUE),
                        (open, failure) -> guarded(() -> reached(limit, failure)),
                        (open, failure) -> {});
    }

    private void reached(Duration limit, @Nullable StoreException failure) {
        if (failure == null) {
            send(limit);
        } else {
            acquisition.unanswered(
                    failure.isDenied()
                            ? failure
                            : StoreException.notSent("not connected: " + failure.getMessage(), failure));
        }
    }

    /**
     * Counted before it is allowed, so that the end of the acquisition meanwhile knows that a try may be on its way.
     */
    private void send(Duration limit) {
        unresolved.incrementAndGet();
        if (!acquisition.isOpen()) {
            unresolved.decrementAndGet();
            return;
        }
        sent.incrementAndGet();
        long sentAt = context.time().now();
        context.calls()
                .within(
                        limit,
                        () -> context.store()
                                .acquire(
                                        plan.claim(),
                                        plan.lease().stored(plan.lease().firstTtl()),
                                        acquisition.patience()),
                        (answer, failure) -> guarded(() -> ended(sentAt, answer, failure)),
                        (answer, failure) -> guarded(() -> arrivedLate(sentAt, answer)));
    }

    /**
     * Without this, what goes wrong where a store's answer arrives would end with that thread's step, and the caller
     * would wait on.
     */
    void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error failure) {
            acquisition.failed(failure);
        }
    }

    private void ended(long sentAt, @Nullable AcquireResult answer, @Nullable StoreException failure) {
        noteQueue(answer);
        if (failure == null || failure.effect() != Effect.UNKNOWN) {
            unresolved.decrementAndGet();
        }
        if (answer instanceof Granted granted) {
            acquisition.granted(sentAt, granted.remaining(), granted.token());
        } else if (answer instanceof Refused refused) {
            acquisition.refused(refused);
            listen(sentAt, refused);
        } else {
            acquisition.unanswered(
                    failure == null ? StoreException.unknown("the store gave no answer", null) : failure);
        }
    }

    /**
     * Noted before the try counts as resolved, so that the end of the acquisition meanwhile sees one or the other.
     */
    private void noteQueue(@Nullable AcquireResult answer) {
        if (answer instanceof Refused refused && refused.queued()) {
            queued = true;
        }
    }

    private void listen(long sentAt, Refused refused) {
        refused.grantNotification()
                .thenAccept(news -> guarded(() -> {
                    if (news.isPresent()) {
                        Granted granted = news.get();
                        acquisition.handedOver(sentAt, granted.remaining(), granted.token());
                    } else {
                        acquisition.worthTrying(refused);
                    }
                }));
    }

    /** A late grant may still be of use; a late failure leaves the effect unknown for good. */
    private void arrivedLate(long sentAt, @Nullable AcquireResult late) {
        if (late == null) {
            acquisition.disown();
            return;
        }
        noteQueue(late);
        unresolved.decrementAndGet();
        if (late instanceof Granted granted) {
            acquisition.granted(sentAt, granted.remaining(), granted.token());
        } else if (late instanceof Refused refused && refused.queued()) {
            listen(sentAt, refused);
            acquisition.disown();
        }
    }

    /** Asks for a whole lease once more, because the reply to a grant took most of it. */
    void refresh(long token) {
        long sentAt = context.time().now();
        Duration ttl = plan.lease().stored(plan.lease().firstTtl());
        unresolved.incrementAndGet();
        context.calls()
                .within(
                        plan.lease().attemptTimeout(),
                        () -> context.store().extend(plan.claim(), token, ttl),
                        (left, failure) -> guarded(() -> {
                            if (left != null && !left.isZero()) {
                                unresolved.decrementAndGet();
                                acquisition.granted(sentAt, left, token);
                            } else {
                                acquisition.unanswered(
                                        StoreException.unknown("the lease ran out before its grant arrived", failure));
                            }
                        }),
                        (late, failure) -> {});
    }
}
