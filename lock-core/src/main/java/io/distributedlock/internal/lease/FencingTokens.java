package io.distributedlock.internal.lease;

import io.distributedlock.LossReason;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The fencing tokens of holds: drawn from the store with the first question, unless the lock was granted with one. One
 * that was drawn belongs to the lease, whose later holds append their number.
 */
public final class FencingTokens {

    private final LockStore store;
    private final StoreCalls calls;

    public FencingTokens(LockStore store, StoreCalls calls) {
        this.store = store;
        this.calls = calls;
    }

    /** Completes where the store's answer arrives; fails if the hold has ended, or if there is no answer. */
    public CompletableFuture<Long> of(LockHold hold) {
        CompletableFuture<Long> caller = new CompletableFuture<>();
        if (hold.fencingToken() != LockHold.NO_TOKEN) {
            caller.complete(hold.fencingToken());
        } else {
            endIfNotHeld(hold, caller);
            if (!caller.isDone()) {
                draw(hold, caller);
            }
        }
        return caller;
    }

    private void draw(LockHold hold, CompletableFuture<Long> caller) {
        HeldLease heldLease = hold.heldLease();
        calls.within(
                heldLease.lease().attemptTimeout(),
                () -> OnDemandTokens.draw(store, heldLease.claim()),
                (token, failure) -> drawn(hold, token, failure, caller),
                (token, failure) -> drawn(hold, token, failure, caller));
    }

    private static void drawn(
            LockHold hold, @Nullable Long token, @Nullable StoreException failure, CompletableFuture<Long> caller) {
        HeldLease heldLease = hold.heldLease();
        if (token == null) {
            caller.completeExceptionally(ExceptionMessages.noToken(
                    hold.id(), hold.remaining(), failure == null ? StoreException.unknown("no token", null) : failure));
            return;
        }
        if (token == 0) {
            heldLease.lose(LossReason.NOT_OWNER);
        } else {
            heldLease.drew(token);
        }
        endIfNotHeld(hold, caller);
        caller.complete(hold.fencingToken());
    }

    private static void endIfNotHeld(LockHold hold, CompletableFuture<Long> caller) {
        try {
            hold.requireHeld();
        } catch (RuntimeException ended) {
            caller.completeExceptionally(ended);
        }
    }
}
