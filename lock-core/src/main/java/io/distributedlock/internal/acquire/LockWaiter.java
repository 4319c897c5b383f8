package io.distributedlock.internal.acquire;

import io.distributedlock.LockException;
import io.distributedlock.LockHolder;
import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.ResolvedRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.store.OwnerOrigin;
import io.distributedlock.internal.support.Await;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.internal.support.Trampoline;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One caller on its way to a lock: it waits in this process for its turn, then deals with the store. It ends exactly
 * once, with a lock or without; the step that completes it without a lock withdraws its claim.
 */
public final class LockWaiter {

    private static final Duration LITTLE = Duration.ofMillis(100);
    private static final Duration SOME = Duration.ofSeconds(1);

    private final CompletableFuture<SingleLockHandle> result = new CompletableFuture<>();
    private final AcquireContext context;
    private final LocalQueue queue;
    private final ResolvedRequest terms;
    private final @Nullable Thread thread;
    private final long since;
    private final long deadline;
    private volatile @Nullable Acquisition acquisition;
    private volatile Scheduler.Timer timer = Scheduler.Timer.NONE;
    private volatile boolean woken;

    /** @param thread the thread that waits for it; null if no thread blocks */
    public LockWaiter(AcquireContext context, LocalQueue queue, ResolvedRequest terms, @Nullable Thread thread) {
        this.context = context;
        this.queue = queue;
        this.terms = terms;
        this.thread = thread;
        this.since = context.time().now();
        this.deadline = since + terms.waitTime().toNanos();
    }

    public CompletableFuture<SingleLockHandle> result() {
        return result;
    }

    ResolvedRequest terms() {
        return terms;
    }

    public LockId id() {
        return terms.id();
    }

    boolean isShared() {
        return terms.mode() == LockMode.SHARED;
    }

    boolean isPatient() {
        return !terms.waitTime().isZero();
    }

    /**
     * Whether there is so little time left that a command is not worth while: a tenth of the wait time, and 100 ms at
     * most.
     */
    boolean isAlmostOver(long now) {
        return hasLessLeft(LITTLE, now);
    }

    /** Whether it will soon be gone: a tenth of the wait time is left, or a second if that is less. */
    boolean isNearItsEnd(long now) {
        return hasLessLeft(SOME, now);
    }

    private boolean hasLessLeft(Duration limit, long now) {
        return deadline - now < Math.min(limit.toNanos(), terms.waitTime().toNanos() / 10);
    }

    /** When it arrived. */
    long since() {
        return since;
    }

    public Duration waited() {
        return context.time().since(since);
    }

    /** How long it will go on waiting. */
    Duration left() {
        return context.time().until(deadline);
    }

    /** When its wait is over. */
    long deadline() {
        return deadline;
    }

    public void start() {
        try {
            queue.join(this);
        } catch (RuntimeException | Error failure) {
            end(ExceptionMessages.failed(id(), waited(), failure));
        }
    }

    /** Waits in line for at most what is left of the wait time. */
    void waitInLine() {
        timer = context.time().after(left(), () -> queue.timeOut(this));
        if (acquisition != null || result.isDone()) {
            timer.cancel();
        }
    }

    /** It is the first one to deal with the store. */
    void ask() {
        ask(false);
    }

    /** Its turn to deal with the store has come, after others. */
    void askInTurn() {
        ask(true);
    }

    private void ask(boolean inTurn) {
        if (result.isDone()) {
            queue.failed(this, ExceptionMessages.closed(id()));
            return;
        }
        try {
            Acquisition own = new Acquisition(context, plan(inTurn), this::goesOn);
            acquisition = own;
            timer.cancel();
            own.result().whenComplete(this::answered);
            own.start();
            if (result.isDone() && !own.result().isDone()) {
                own.end(ExceptionMessages.closed(id()));
            }
        } catch (RuntimeException | Error failure) {
            end(ExceptionMessages.failed(id(), waited(), failure));
        }
    }

    private AcquirePlan plan(boolean inTurn) {
        return new AcquirePlan(terms.id(), context.newClaim(terms), terms.lease(), since, deadline, inTurn);
    }

    /** The store has refused a try, or has not answered it, and others may follow. */
    private void goesOn(@Nullable StoreException unanswered) {
        if (unanswered == null) {
            queue.refused(this);
        } else if (!isShared()) {
            queue.unanswered(this, unanswered);
        }
    }

    private void answered(@Nullable SingleLockHandle lock, @Nullable Throwable failure) {
        if (lock != null) {
            take(lock);
        } else if (failure instanceof LockException known) {
            try {
                queue.failed(this, known);
            } finally {
                fail(known);
            }
        }
    }

    /** A holder in this process has handed the lock over. */
    void takeOver(SingleLockHandle lock) {
        try {
            timer.cancel();
            context.acquired(lock, waited(), true);
            if (terms.lease().maxHold() != null) {
                context.limited(lock.hold().heldLease());
            }
        } catch (RuntimeException | Error failure) {
            end(ExceptionMessages.failed(id(), waited(), failure));
        }
        take(lock);
    }

    private void take(SingleLockHandle lock) {
        if (result.complete(lock)) {
            LockSupport.unpark(thread);
        } else {
            lock.sendRelease();
        }
    }

    /** A lease lies open: it should come and take it. */
    void wake() {
        if (thread == null) {
            context.time().after(Duration.ZERO, () -> queue.turn(this));
        } else {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    /** Waits for its end, and takes part in it: a thread that is woken looks for its lock itself. */
    public SingleLockHandle await() throws InterruptedException {
        while (!result.isDone()) {
            Trampoline.runPending();
            look();
            if (!result.isDone()) {
                LockSupport.park(this);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return Await.interruptibly(result);
    }

    /** Looks whether the lock is to be had, if it was woken for that. */
    private void look() {
        if (woken) {
            woken = false;
            queue.turn(this);
        }
    }

    /** Whether the store answered the one who asked so that it is not known whether the lock is held. */
    boolean isUnanswered(LockException failure) {
        return failure instanceof LockUnavailableException && failure.getCause() instanceof StoreException;
    }

    boolean hasWaitedForAnAnswer() {
        return waited().compareTo(terms.lease().attemptTimeout()) >= 0;
    }

    /** Fails because the store does not answer to the one in front, either, for the same reason. */
    void failLike(Exception failure) {
        Throwable reason = failure.getCause() instanceof StoreException cause ? cause : failure;
        fail(ExceptionMessages.unavailable(
                id(), waited(), StoreException.notSent(String.valueOf(reason.getMessage()), failure)));
    }

    /**
     * Ends because others hold the lock, and it does not wait any longer.
     *
     * @param heldLease what this process holds; null if it is just asking for the lock
     */
    void refuse(@Nullable HeldLease heldLease) {
        LockHold hold = heldLease == null ? null : heldLease.hold();
        if (heldLease == null || hold == null) {
            fail(new LockNotAcquiredException(id(), waited(), terms.lease().ttl()));
            return;
        }
        Thread thread = hold.holder();
        String name = thread == null ? null : thread.getName();
        String heldBy = "in this process%s for %d ms"
                .formatted(
                        name == null ? "" : " by thread '" + name + "'",
                        hold.held().toMillis());
        LockHolder holder = OwnerOrigin.of(heldLease.claim().owner())
                .map(origin -> new LockHolder(origin.client(), null, name, hold.held(), null))
                .orElse(null);
        fail(new LockNotAcquiredException(id(), waited(), context.time().until(heldLease.safeUntil()), heldBy, holder));
    }

    /**
     * Ends because the store has not answered for as long as it waits, so that it is not known whether others hold the
     * lock.
     */
    void giveUp() {
        fail(ExceptionMessages.unavailable(
                id(),
                waited(),
                StoreException.notSent("the store has not answered another caller here, either", null)));
    }

    /** Whether the latest answer of the store to it was that others hold the lock. */
    boolean isRefused() {
        Acquisition own = acquisition;
        return own != null && own.isRefused();
    }

    /** Ends without a lock, if it has not ended: for the store's, the caller's or the client's reasons. */
    public void end(LockException failure) {
        if (fail(failure)) {
            Acquisition own = acquisition;
            if (own != null) {
                own.end(failure);
            } else if (!isShared()) {
                queue.leave(this);
            }
        }
    }

    /** Ends it if it should have ended, be it as late as any call may. */
    void endIfOverdue() {
        LeaseTerms lease = terms.lease();
        Duration longest = terms.waitTime()
                .plus(lease.connectTimeout())
                .plus(lease.commandTimeout())
                .plus(lease.commandTimeout());
        if (waited().compareTo(longest) >= 0) {
            end(ExceptionMessages.overdue(id(), waited()));
        }
    }

    /** The same for one that stands in no line, and does not deal with the store. */
    boolean fail(LockException failure) {
        boolean first = result.completeExceptionally(failure);
        if (first) {
            timer.cancel();
            LockSupport.unpark(thread);
            context.notAcquired(failure, terms.mode(), waited());
        }
        return first;
    }
}
