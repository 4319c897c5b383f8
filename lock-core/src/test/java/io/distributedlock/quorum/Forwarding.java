package io.distributedlock.quorum;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A second way to a node. */
record Forwarding(LockStore node) implements LockStore {

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return node.acquire(claim, ttl, patience);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return node.extend(claim, token, ttl);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return node.release(claim);
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return node.releaseAfter(claim, time);
    }

    @Override
    public void close() {
        node.close();
    }
}
