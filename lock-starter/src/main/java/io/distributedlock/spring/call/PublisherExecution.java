package io.distributedlock.spring.call;

import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.reactive.ReactiveLockTemplate;
import io.distributedlock.spring.metadata.LockOperation;
import io.distributedlock.spring.method.ResultKind;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Calls methods that return a publisher. Each subscription takes the lock, calls the method, subscribes to what that
 * returns, and holds the lock until its end. All types that Spring has an adapter for are publishers in this sense.
 */
final class PublisherExecution implements LockedExecution {

    private final Supplier<ReactiveLockTemplate> template;

    PublisherExecution(Supplier<ReactiveLockTemplate> template) {
        this.template = template;
    }

    @Override
    public Object run(LockOperation operation, LockRequest request, MethodInvocation invocation) {
        DeferredCall call = new DeferredCall(operation, invocation);
        Class<?> type = invocation.getMethod().getReturnType();
        // Around a suspend function, Spring's proxies take and give Reactor's publishers.
        ReactiveAdapter adapter = KotlinDetector.isSuspendingFunction(invocation.getMethod())
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        Function<LockHandle, Publisher<Object>> work = lock -> proceed(call, adapter, lock);
        Function<Throwable, Publisher<Object>> refused = failure ->
                answer(() -> operation.answer(request, invocation, (LockNotAcquiredException) failure), adapter);
        Publisher<?> guarded = operation.method().result() == ResultKind.SINGLE
                ? single(operation, request, work, refused)
                : stream(operation, request, work, refused);
        return adapter == null ? guarded : adapter.fromPublisher(guarded);
    }

    private Mono<Object> single(
            LockOperation operation,
            LockRequest request,
            Function<LockHandle, Publisher<Object>> work,
            Function<Throwable, Publisher<Object>> refused) {
        return Mono.defer(() -> {
            AtomicBoolean granted = new AtomicBoolean();
            return template.get()
                    .execute(
                            request,
                            lock -> Mono.defer(() -> Mono.fromDirect(granting(granted, lock, work)))
                                    .subscribeOn(Schedulers.parallel()))
                    .onErrorResume(
                            failure -> isAnswered(operation, granted, failure),
                            failure -> Mono.fromDirect(refused.apply(failure)));
        });
    }

    private Flux<Object> stream(
            LockOperation operation,
            LockRequest request,
            Function<LockHandle, Publisher<Object>> work,
            Function<Throwable, Publisher<Object>> refused) {
        return Flux.defer(() -> {
            AtomicBoolean granted = new AtomicBoolean();
            return template.get()
                    .executeMany(
                            request,
                            lock -> Flux.defer(() -> granting(granted, lock, work))
                                    .subscribeOn(Schedulers.parallel()))
                    .onErrorResume(failure -> isAnswered(operation, granted, failure), refused);
        });
    }

    private static Publisher<Object> granting(
            AtomicBoolean granted, LockHandle lock, Function<LockHandle, Publisher<Object>> work) {
        granted.set(true);
        return work.apply(lock);
    }

    private static boolean isAnswered(LockOperation operation, AtomicBoolean granted, Throwable failure) {
        return operation.answersRefusals() && failure instanceof LockNotAcquiredException && !granted.get();
    }

    /** Nothing where a call is skipped, or else what a handler gives. */
    private static Publisher<Object> answer(Callable<@Nullable Object> handler, @Nullable ReactiveAdapter adapter) {
        return Flux.defer(() -> published(handler, adapter)).subscribeOn(Schedulers.parallel());
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> published(Callable<@Nullable Object> handler, @Nullable ReactiveAdapter adapter) {
        try {
            Object answer = handler.call();
            if (answer == null) {
                return Flux.empty();
            }
            return adapter == null ? (Publisher<Object>) answer : adapter.toPublisher(answer);
        } catch (Exception failure) {
            return Flux.error(failure);
        }
    }

    /** The method is called by the subscription, away from the lock client's own threads. */
    @SuppressWarnings("unchecked")
    private static Publisher<Object> proceed(DeferredCall call, @Nullable ReactiveAdapter adapter, LockHandle lock) {
        try {
            Object returned = call.proceed(lock);
            return adapter == null
                    ? (Publisher<Object>) Objects.requireNonNull(returned)
                    : adapter.toPublisher(returned);
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }
}
