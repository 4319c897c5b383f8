package io.distributedlock.quorum;

import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What an owner that is over may have left at a node.
 *
 * @param claim whose claim it was
 * @param owned what the node knows it by
 * @param expiresAt when everything that was written in its name has expired
 * @param linger for how long after a first answer to look for commands that are executed late
 * @param unheard whether it is taken back without a notification of waiters
 * @param taken whether the node may have granted it anything; done when it can't grant it anything more
 */
record Residue(
        Claim claim, Claim owned, long expiresAt, Duration linger, boolean unheard, CompletableFuture<Boolean> taken) {

    /** Whether the node has certainly granted it nothing, and will not. */
    boolean hasNothing() {
        return !taken.getNow(true);
    }
}
