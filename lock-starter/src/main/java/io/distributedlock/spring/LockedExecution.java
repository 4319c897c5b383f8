package io.distributedlock.spring;

import io.distributedlock.LockRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Makes one call of a locked method, and holds its lock until the result is complete. */
@FunctionalInterface
interface LockedExecution {

    /** @return what the caller of the method gets */
    @Nullable
    Object run(LockOperation operation, LockRequest request, MethodInvocation invocation) throws Throwable;
}
