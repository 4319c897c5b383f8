package io.distributedlock.spring.call;

import io.distributedlock.LockRequest;
import io.distributedlock.spring.metadata.LockOperation;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Makes one call of a locked method, and holds its lock until the result is complete. */
@FunctionalInterface
interface LockedExecution {

    /** @return what the caller of the method gets */
    @Nullable
    Object run(LockOperation operation, LockRequest request, MethodInvocation invocation) throws Throwable;
}
