package io.distributedlock;

import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One grant, from the moment it is handed out. Held ends in released or in lost, exactly once; nothing leads back. Whether it is held is
 * computed from the clock at each question: a timer that runs late delays the signal, never the answer.
 */
final class HeldLock implements LockHandle {

    private enum State {
        HELD,
        RELEASED,
        LOST
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final AtomicLong safeUntil;
    private final AtomicLong longestTtlNanos;
    private final Engine engine;
    private final Grant grant;
    private volatile LossReason lossReason = LossReason.DEADLINE;

    HeldLock(Engine engine, Grant grant) {
        this.engine = engine;
        this.grant = grant;
        this.safeUntil = new AtomicLong(grant.safeUntil());
        this.longestTtlNanos = new AtomicLong(grant.lease().ttl().toNanos());
    }

    Claim claim() {
        return grant.claim();
    }

    LockId id() {
        return grant.id();
    }

    Lease lease() {
        return grant.lease();
    }

    Grant grant() {
        return grant;
    }

    @Override
    public String name() {
        return grant.id().name();
    }

    @Override
    public String key() {
        return grant.id().key();
    }

    @Override
    public long fencingToken() {
        return grant.fencingToken();
    }

    /** Whoever sees that the lease is over ends the lock, so that no late confirmation can bring it back. */
    @Override
    public boolean isHeld() {
        if (isOverdue()) {
            lose(LossReason.DEADLINE);
        }
        return state.get() == State.HELD;
    }

    boolean isOverdue() {
        return engine.time().now() - safeUntil.get() >= 0;
    }

    long safeUntil() {
        return safeUntil.get();
    }

    @Override
    public Duration remaining() {
        return isHeld() ? engine.time().until(safeUntil.get()) : Duration.ZERO;
    }

    @Override
    public void requireHeld() {
        if (!isHeld()) {
            throw new LockLostException(grant.id(), lossReason);
        }
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return lost.minimalCompletionStage();
    }

    /** An extension is about to be sent: from now on the store may keep the lock for {@code ttl}, whatever becomes of the reply. */
    void extending(Duration ttl) {
        longestTtlNanos.accumulateAndGet(ttl.toNanos(), Math::max);
    }

    /** The longest lease that the store was ever asked for. */
    Duration longestTtl() {
        return Duration.ofNanos(longestTtlNanos.get());
    }

    /** A store that confirmed an extension for a command sent at {@code sentAt} keeps the lock at least so long. */
    void extended(long sentAt, Duration promised) {
        safeUntil.accumulateAndGet(Lease.safeUntil(sentAt, promised), (now, later) -> later - now > 0 ? later : now);
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration ttl) {
        return engine.extend(this, LockOptions.requireTtl(ttl));
    }

    boolean isOf(Engine engine, LockId id) {
        return this.engine == engine && grant.id().encoded().equals(id.encoded());
    }

    /** The one way into the lost state, whoever notices first. */
    void lose(LossReason reason) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            lossReason = reason;
            engine.lost(this, reason);
        }
    }

    /** Completes the signal; on a thread that may run callers' code. */
    void signalLoss(LossReason reason) {
        lost.complete(reason);
    }

    @Override
    public void release() {
        Await.uninterruptibly(release(Runnable::run));
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return release(engine.completions());
    }

    private CompletableFuture<Void> release(Executor completions) {
        if (isOverdue()) {
            lose(LossReason.DEADLINE);
        }
        if (state.compareAndSet(State.HELD, State.RELEASED)) {
            engine.release(this);
        } else if (state.get() == State.LOST) {
            return CompletableFuture.failedFuture(new LockLostException(grant.id(), lossReason));
        }
        CompletableFuture<Void> caller = new CompletableFuture<>();
        released.whenComplete((nothing, failure) -> Notifier.runOn(completions, () -> complete(caller, failure)));
        return caller;
    }

    private static void complete(CompletableFuture<Void> caller, @Nullable Throwable failure) {
        if (failure == null) {
            caller.complete(null);
        } else {
            caller.completeExceptionally(failure);
        }
    }

    /** Runs {@code cleanUp} once the answer to a release is there: a clean-up that overtook the release would make it look like a loss. */
    void afterRelease(Runnable cleanUp) {
        if (state.get() == State.RELEASED) {
            released.whenComplete((nothing, failure) -> cleanUp.run());
        } else {
            cleanUp.run();
        }
    }

    /**
     * The release was sent while the lease was valid; this is how it ended.
     *
     * @param taken whether the store had given the lock away before; no answer at all is no failure of the caller's
     */
    void releaseEnded(boolean taken) {
        if (taken) {
            lossReason = LossReason.NOT_OWNER;
            state.set(State.LOST);
            released.completeExceptionally(new LockLostException(grant.id(), LossReason.NOT_OWNER));
        } else {
            released.complete(null);
        }
    }

    @Override
    public String toString() {
        return "Lock[" + grant.id().display() + ", " + state.get() + "]";
    }
}
