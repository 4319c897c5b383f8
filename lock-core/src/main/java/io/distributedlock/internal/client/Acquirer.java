package io.distributedlock.internal.client;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Acquires the lock of one key, for locks that are made of such locks. */
interface Acquirer {

    LockHandle acquire(LockRequest request);

    /** @param completions where the future completes */
    CompletableFuture<LockHandle> acquire(LockRequest request, Executor completions);
}
