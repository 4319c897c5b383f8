package io.distributedlock.spring.call;

import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.spring.metadata.LockOperation;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Calls methods that return a future: no thread waits for the lock, and it is held until that future is complete. */
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
        DeferredCall call = new DeferredCall(operation, invocation);
        // Asked for here, because a bean must not be created on a thread of the lock client while the caller perhaps
        // starts the application.
        Executor tasks = executor.get();
        AtomicBoolean granted = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Object> result = template.get().executeAsync(request, lock -> {
            granted.set(true);
            return start(call, lock, tasks, over::get);
        });
        result.whenComplete((value, failure) -> over.set(true));
        return operation.answersRefusals()
                ? answering(result, granted, refused -> answer(operation, request, invocation, refused))
                : result;
    }

    /** @param over whether the caller has given up; a method that has not begun then is not called */
    private static CompletableFuture<Object> start(
            DeferredCall call, LockHandle lock, Executor tasks, BooleanSupplier over) {
        RunningCall running = new RunningCall();
        tasks.execute(() -> {
            if (over.getAsBoolean()) {
                running.completeExceptionally(new CancellationException());
            } else {
                running.start(call, lock);
            }
        });
        return running;
    }

    /** As for the method itself, a thread of the application's is there for a handler. */
    private CompletableFuture<Object> answer(
            LockOperation operation,
            LockRequest request,
            MethodInvocation invocation,
            LockNotAcquiredException refused) {
        return CompletableFuture.supplyAsync(() -> handled(operation, request, invocation, refused), executor.get())
                .thenCompose(answer -> answer);
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<Object> handled(
            LockOperation operation,
            LockRequest request,
            MethodInvocation invocation,
            LockNotAcquiredException refused) {
        try {
            Object answer = operation.answer(request, invocation, refused);
            return answer instanceof CompletionStage<?> stage
                    ? (CompletionStage<Object>) stage
                    : CompletableFuture.failedFuture(new IllegalStateException("The handler of " + operation.method()
                            + " has to return what that method returns, a future, but returned "
                            + (answer == null ? "null" : answer.getClass().getName())));
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static CompletableFuture<Object> answering(
            CompletableFuture<Object> result,
            AtomicBoolean granted,
            Function<LockNotAcquiredException, CompletableFuture<Object>> answer) {
        CompletableFuture<Object> caller = new CompletableFuture<>();
        result.whenComplete((value, failure) -> {
            if (failure instanceof LockNotAcquiredException refused && !granted.get()) {
                answer.apply(refused).whenComplete((given, trouble) -> end(caller, given, trouble));
            } else {
                end(caller, value, failure);
            }
        });
        caller.whenComplete((value, failure) -> result.cancel(false));
        return caller;
    }

    private static void end(CompletableFuture<Object> caller, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            caller.complete(value);
        } else {
            caller.completeExceptionally(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
        }
    }
}
