package io.distributedlock.spring.call;

import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.spring.metadata.LockOperation;
import io.distributedlock.spring.method.FencingParameter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * The rest of a call, kept for the time when the lock is granted: on another thread, and once for each subscription.
 */
final class DeferredCall {

    private final MethodInvocation kept;
    private final FencingParameter fence;

    DeferredCall(LockOperation operation, MethodInvocation invocation) {
        this.kept = copy(invocation);
        this.fence = operation.method().fence();
    }

    /**
     * Calls the method on this thread, under {@code lock} while it does so. Aspects further inside find their join
     * point on this thread, too.
     */
    @Nullable
    Object proceed(LockHandle lock) throws Throwable {
        MethodInvocation rest = copy(kept);
        fence.fill(rest, lock);
        return LockContext.callUnder(lock, held -> new Result(ExposeInvocationInterceptor.INSTANCE.invoke(rest)))
                .value();
    }

    /** An invocation remembers how far it has got, so each run needs one of its own. */
    private static MethodInvocation copy(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
    }

    private record Result(@Nullable Object value) {}
}
