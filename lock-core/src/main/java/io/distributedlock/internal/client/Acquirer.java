package io.distributedlock.internal.client;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Acquires the lock of one key, for locks that are made of such locks. */
interface Acquirer {

    /** A refusal does not say who holds the lock, so that nothing waits for that. */
    LockHandle acquireUnexplained(LockRequest request);

    /**
     * The same without a waiting thread.
     *
     * @param completions where the future completes
     */
    CompletableFuture<LockHandle> acquireUnexplained(LockRequest request, Executor completions);
}
