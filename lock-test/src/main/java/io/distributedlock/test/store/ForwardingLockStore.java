package io.distributedlock.test.store;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreLimits;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A store around a store. It forwards each call unless a subclass overrides it, so that a test can observe, delay or
 * change single calls.
 *
 * <p>Leases are extended one by one, so that {@link #extend} sees each of them, and locks can't be {@linkplain
 * io.distributedlock.spi.LockInspection inspected}, whatever the inner store can do.
 */
public class ForwardingLockStore implements LockStore, OnDemandTokens {

    private final LockStore delegate;

    public ForwardingLockStore(LockStore delegate) {
        this.delegate = delegate;
    }

    /** The inner store. */
    protected final LockStore delegate() {
        return delegate;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return delegate.acquire(claim, ttl, patience);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return delegate.extend(claim, token, ttl);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return delegate.release(claim);
    }

    @Override
    public CompletionStage<Long> drawToken(Claim claim) {
        return OnDemandTokens.draw(delegate, claim);
    }

    @Override
    public StoreLimits limits() {
        return delegate.limits();
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return delegate.releaseAfter(claim, time);
    }

    @Override
    public CompletionStage<?> ready() {
        return delegate.ready();
    }

    @Override
    public void onReachable(Runnable hook) {
        delegate.onReachable(hook);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
