package io.distributedlock.spring;

import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockedCall;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Calls a locked method through the {@link LockTemplate}. */
final class DistributedLockInterceptor implements MethodInterceptor {

    private final LockOperationSource operations;
    private final Supplier<LockTemplate> template;

    DistributedLockInterceptor(LockOperationSource operations, Supplier<LockTemplate> template) {
        this.operations = operations;
        this.template = template;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LockOperation operation =
                target == null ? null : operations.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (operation == null) {
            return invocation.proceed();
        }
        LockRequest request =
                operation.request(new KeyExpression.Call(invocation.getMethod(), target, invocation.getArguments()));
        LockedCall<Result, Throwable> work = lock -> new Result(invocation.proceed());
        if (!operation.skips()) {
            return template.get().execute(request, work).value();
        }
        Optional<Result> result = template.get().tryExecute(request, work);
        return result.isPresent() ? result.get().value() : operation.nothing();
    }

    /** What the method returned, null included. */
    private record Result(@Nullable Object value) {}
}
