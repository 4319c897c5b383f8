package io.distributedlock.spring.call;

import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockedCall;
import io.distributedlock.spring.metadata.LockOperation;
import io.distributedlock.spring.method.ResultKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Calls on the caller's thread, which waits for the lock, and for the future of a method that has a thread for that.
 */
final class ValueExecution implements LockedExecution {

    private final Supplier<LockTemplate> template;

    ValueExecution(Supplier<LockTemplate> template) {
        this.template = template;
    }

    @Override
    public @Nullable Object run(LockOperation operation, LockRequest request, MethodInvocation invocation)
            throws Throwable {
        boolean awaited = operation.method().result() == ResultKind.AWAITED;
        AtomicBoolean granted = new AtomicBoolean();
        LockedCall<Result, Throwable> work = lock -> {
            granted.set(true);
            operation.method().fence().fill(invocation, lock);
            Object value = invocation.proceed();
            return new Result(awaited ? ended(value) : value);
        };
        try {
            return template.get().execute(request, work).value();
        } catch (LockNotAcquiredException refused) {
            if (granted.get() || !operation.answersRefusals()) {
                throw refused;
            }
            return operation.answer(request, invocation, refused);
        }
    }

    /**
     * Nothing is gained by giving the thread back: the executor of {@code @Async} methods waits for their futures in
     * the same way.
     */
    private static @Nullable Object ended(@Nullable Object value) throws Throwable {
        if (value instanceof Future<?> future) {
            try {
                return CompletableFuture.completedFuture(future.get());
            } catch (ExecutionException failed) {
                throw failed.getCause() == null ? failed : failed.getCause();
            } catch (InterruptedException interrupt) {
                future.cancel(true);
                throw interrupt;
            }
        }
        return value;
    }

    /** What the method returned, null included. */
    private record Result(@Nullable Object value) {}
}
