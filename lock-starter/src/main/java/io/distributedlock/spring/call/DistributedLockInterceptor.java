package io.distributedlock.spring.call;

import io.distributedlock.LockRequest;
import io.distributedlock.spring.key.KeyExpression;
import io.distributedlock.spring.metadata.LockOperation;
import io.distributedlock.spring.metadata.LockOperationSource;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** Finds out which lock a call needs, and has the call made under it. */
final class DistributedLockInterceptor implements MethodInterceptor {

    private final LockOperationSource operations;
    private final Supplier<? extends LockedExecution> execution;

    /** @param execution is asked for at the first call that needs a lock */
    DistributedLockInterceptor(LockOperationSource operations, Supplier<? extends LockedExecution> execution) {
        this.operations = operations;
        this.execution = execution;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        List<LockOperation> found =
                target == null ? List.of() : operations.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (target == null || found.isEmpty()) {
            return invocation.proceed();
        }
        KeyExpression.Call call = new KeyExpression.Call(invocation.getMethod(), target, invocation.getArguments());
        if (found.size() > 1) {
            return runNested(found, call, invocation);
        }
        LockOperation operation = found.get(0);
        return operation.isNeededFor(call)
                ? execution.get().run(operation, operation.request(call), invocation)
                : invocation.proceed();
    }

    /** All keys are known before the first lock is taken. */
    private @Nullable Object runNested(
            List<LockOperation> outermostFirst, KeyExpression.Call call, MethodInvocation invocation) throws Throwable {
        NestedCall.Inside rest = MethodInvocation::proceed;
        for (int i = outermostFirst.size() - 1; i >= 0; i--) {
            LockOperation operation = outermostFirst.get(i);
            if (operation.isNeededFor(call)) {
                LockRequest request = operation.request(call);
                NestedCall.Inside inside = rest;
                rest = outer -> execution.get().run(operation, request, new NestedCall(outer, inside));
            }
        }
        return rest.run((ProxyMethodInvocation) invocation);
    }
}
