package io.distributedlock.internal.lease;

import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.LockOptions;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.support.Await;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The user's handle of a {@link LockHold}. Nothing of ours refers to it strongly, so that it is collected if its user
 * forgets it.
 */
public final class SingleLockHandle implements LockHandle {

    private final LockHold hold;

    public SingleLockHandle(HeldLease heldLease, int turn, @Nullable Duration maxHold) {
        this.hold = new LockHold(this, heldLease, turn, maxHold);
    }

    public LockHold hold() {
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
        long known = hold.fencingToken();
        return known == LockHold.NO_TOKEN ? Await.uninterruptibly(context().fencingToken(hold)) : known;
    }

    @Override
    public CompletableFuture<Long> fencingTokenAsync() {
        return context().callbacks().after(context().fencingToken(hold));
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
        if (hold.isHeld()
                && hold.remaining().compareTo(atLeast) < 0
                && hold.heldLease().isInItsFirstPart()) {
            Await.atMost(
                    hold.heldLease().lease().attemptTimeout(),
                    extend(hold.heldLease().extension()));
        }
        hold.requireHeld(atLeast);
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return hold.lost().minimalCompletionStage();
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration ttl) {
        return context().callbacks().after(extend(LockOptions.requireTtl(ttl)));
    }

    @Override
    public void unbind() {
        hold.bindTo(null);
    }

    /** Whether others may hold it at the same time. */
    public boolean isShared() {
        return hold.heldLease().isShared();
    }

    /** Whether a good part of a lease is over that is not renewed. */
    public boolean isAged() {
        LeaseTerms lease = hold.heldLease().lease();
        return !lease.renewed() && hold.held().compareTo(lease.ttl().dividedBy(10)) > 0;
    }

    /** {@link #extendAsync} for the engine itself: the future completes where the store's answer arrives. */
    CompletableFuture<Boolean> extend(Duration ttl) {
        return context().extend(hold, ttl);
    }

    /** Lets the lease begin anew; completes as {@link #extend} does. */
    public CompletableFuture<Boolean> prolonged() {
        return extend(hold.heldLease().lease().ttl());
    }

    public boolean isOf(LeaseContext context, LockId id) {
        return context() == context && hold.id().equals(id);
    }

    ReleaseMode releases() {
        return context().releases();
    }

    @Override
    public void release() {
        CompletableFuture<Void> released = sendRelease();
        if (releases().waitsFor(released)) {
            Await.uninterruptibly(released);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return context().callbacks().after(sendRelease());
    }

    /**
     * {@link #releaseAsync} for the engine itself: the future completes where the store's answer arrives. A caller that
     * is about to release has not forgotten the handle, so it stays reachable until that is on its way.
     */
    public CompletableFuture<Void> sendRelease() {
        try {
            return hold.release();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    public LeaseContext context() {
        return hold.heldLease().context();
    }

    @Override
    public String toString() {
        return hold.toString();
    }
}
