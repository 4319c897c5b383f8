package io.distributedlock.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that grants an exclusive lock without a fencing token unless the {@linkplain Claim#fenced() claim} wants one,
 * because a token costs more than the lock.
 */
public interface OnDemandTokens {

    /**
     * Draws a token for a lock that the claim's owner holds: larger than every token drawn for this id before. Only the
     * holder can draw one, so tokens grow from holder to holder.
     *
     * @return the token, above zero; zero if the owner does not hold the lock any more
     */
    CompletionStage<Long> drawToken(Claim claim);

    /** Draws a token from any store. One that does not draw them on demand has granted one with each lock. */
    static CompletionStage<Long> draw(LockStore store, Claim claim) {
        return store instanceof OnDemandTokens tokens
                ? tokens.drawToken(claim)
                : CompletableFuture.failedFuture(StoreException.refused(
                        "this store has granted the lock without a fencing token, and can't draw one", null));
    }
}
