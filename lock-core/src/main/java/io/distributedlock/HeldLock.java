package io.distributedlock;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The user's handle of a {@link Hold}. Nothing of ours refers to it strongly, so that it is collected if its user forgets it. */
final class HeldLock implements LockHandle {

    private final Hold hold;

    HeldLock(Tenure tenure, int turn, @Nullable Duration maxHold) {
        this.hold = new Hold(this, tenure, turn, maxHold);
    }

    Hold hold() {
        return hold;
    }

    @Override
    public String name() {
        return hold.id().name();
    }

    @Override
    public String key() {
        return hold.id().key();
    }

    @Override
    public long fencingToken() {
        return hold.fencingToken();
    }

    @Override
    public LockState state() {
        return hold.state();
    }

    @Override
    public boolean isHeld() {
        return hold.isHeld();
    }

    @Override
    public Duration remaining() {
        return hold.remaining();
    }

    @Override
    public void requireHeld() {
        hold.requireHeld();
    }

    @Override
    public void requireHeld(Duration atLeast) {
        hold.requireHeld(atLeast);
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return hold.lost().minimalCompletionStage();
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration ttl) {
        return hold.tenure().engine().renewal().extend(hold, LockOptions.requireTtl(ttl));
    }

    @Override
    public void unbind() {
        hold.bindTo(null);
    }

    /** Whether others may hold it at the same time. */
    boolean isShared() {
        return hold.tenure().isShared();
    }

    /** Whether a good part of a lease is over that is not renewed. */
    boolean isAged() {
        Lease lease = hold.tenure().lease();
        return !lease.renewed() && hold.held().compareTo(lease.ttl().dividedBy(10)) > 0;
    }

    /** Lets the lease begin anew. */
    CompletableFuture<Boolean> prolonged() {
        return extendAsync(hold.tenure().lease().ttl());
    }

    boolean isOf(Engine engine, LockId id) {
        return hold.tenure().engine() == engine && hold.id().equals(id);
    }

    ReleaseMode releases() {
        return hold.tenure().engine().releases();
    }

    @Override
    public void release() {
        CompletableFuture<Void> released = release(Runnable::run);
        if (releases().waitsFor(released)) {
            Await.uninterruptibly(released);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return release(hold.tenure().engine().completions());
    }

    /** Whoever is about to release has not forgotten the handle, so it stays reachable until that is on its way. */
    private CompletableFuture<Void> release(Executor completions) {
        try {
            return hold.release(completions);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public String toString() {
        return hold.toString();
    }
}
