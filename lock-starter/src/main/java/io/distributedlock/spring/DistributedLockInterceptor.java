package io.distributedlock.spring;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Finds out which lock a call needs, and has the call made under it. */
final class DistributedLockInterceptor implements MethodInterceptor {

    private final LockOperationSource operations;
    private final LockedExecution execution;

    DistributedLockInterceptor(LockOperationSource operations, LockedExecution execution) {
        this.operations = operations;
        this.execution = execution;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LockOperation operation =
                target == null ? null : operations.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (operation == null) {
            return invocation.proceed();
        }
        KeyExpression.Call call = new KeyExpression.Call(invocation.getMethod(), target, invocation.getArguments());
        return operation.isNeededFor(call)
                ? execution.run(operation, operation.request(call), invocation)
                : invocation.proceed();
    }
}
