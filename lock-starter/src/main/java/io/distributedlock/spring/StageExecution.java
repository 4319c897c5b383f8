package io.distributedlock.spring;

import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Calls methods that return a future: nobody waits for the lock, and it is held until that future is complete. */
final class StageExecution implements LockedExecution {

    private final Supplier<LockTemplate> template;
    private final Supplier<Executor> executor;

    /** @param executor runs the methods, because they may block, and the lock client's own threads must not */
    StageExecution(Supplier<LockTemplate> template, Supplier<Executor> executor) {
        this.template = template;
        this.executor = executor;
    }

    @Override
    public Object run(LockOperation operation, LockRequest request, MethodInvocation invocation) {
        DeferredCall call = new DeferredCall(invocation);
        AtomicBoolean granted = new AtomicBoolean();
        CompletableFuture<Object> result = template.get().executeAsync(request, lock -> {
            granted.set(true);
            return start(call, lock);
        });
        return operation.skips() ? skipping(result, granted, operation.nothing()) : result;
    }

    private CompletableFuture<Object> start(DeferredCall call, LockHandle lock) {
        RunningCall running = new RunningCall();
        executor.get().execute(() -> {
            if (running.isGivenUp()) {
                running.completeExceptionally(new CancellationException());
            } else {
                running.start(call, lock);
            }
        });
        return running;
    }

    private static CompletableFuture<Object> skipping(
            CompletableFuture<Object> result, AtomicBoolean granted, @Nullable Object nothing) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        result.whenComplete((value, failure) -> {
            if (failure == null || failure instanceof LockNotAcquiredException && !granted.get()) {
                answer.complete(failure == null ? value : nothing);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        answer.whenComplete((value, failure) -> result.cancel(false));
        return answer;
    }
}
