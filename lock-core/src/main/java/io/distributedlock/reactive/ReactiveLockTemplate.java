package io.distributedlock.reactive;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockObserver;
import io.distributedlock.LockRequest;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs publishers under a lock: each subscription acquires it, subscribes to the work, and releases it.
 *
 * <p>Guaranteed: the work is subscribed to only after a definite grant; the lock is released when the work completes or
 * fails, or after it was cancelled, and completion or failure reaches the subscriber only after that release has been
 * answered, or has been given to the clean-up. A Mono's value waits for the release, too; a Flux's elements do not. A
 * cancellation before the grant withdraws the claim. If the lock was lost before the work completed, the subscriber
 * gets a {@link io.distributedlock.LockLostException} instead of the completion.
 *
 * <p>Not guaranteed: that work which was cancelled has stopped, as far as it blocks a thread; nor that work stops when
 * its lock is lost; long work should ask {@link LockHandle#requireHeld()} now and then. Not re-entrant: a subscription
 * inside of another one that wants the same lock waits for it in vain, because subscriptions have no thread of their
 * own.
 *
 * <p>Refusals are signalled as errors: what {@link LockClient#acquire(LockRequest)} throws, except for an interrupt.
 */
public final class ReactiveLockTemplate {

    private final LockClient client;
    private final LockObserver observer;

    public ReactiveLockTemplate(LockClient client) {
        this(client, LockObserver.NONE);
    }

    /**
     * @param observer is notified of each subscription when it is made; no scope is entered, because subscriptions have
     *     no thread of their own
     */
    public ReactiveLockTemplate(LockClient client, LockObserver observer) {
        this.client = client;
        this.observer = observer;
    }

    /** {@link #execute(LockRequest, Function)} for work that needs no handle. */
    public <T> Mono<T> execute(LockRequest request, Mono<T> work) {
        return execute(request, lock -> work);
    }

    /**
     * Subscribes to what {@code work} gives under the lock; a null or an exception of {@code work} itself is an error
     * signal.
     */
    public <T> Mono<T> execute(LockRequest request, Function<? super LockHandle, ? extends Mono<T>> work) {
        Mono<T> guarded = Mono.<T, LockHandle>usingWhen(
                        acquire(request),
                        work,
                        ReactiveLockTemplate::releaseAtEnd,
                        ReactiveLockTemplate::releaseAfter,
                        ReactiveLockTemplate::release)
                .onErrorMap(ReactiveLockTemplate::asItWasThrown)
                .doOnDiscard(LockHandle.class, LockHandle::releaseAsync);
        return Mono.defer(() -> {
            ObservedSubscription subscription = new ObservedSubscription(observer.begin(request));
            return guarded.doOnSuccess(value -> subscription.completed())
                    .doOnError(subscription::failed)
                    .doOnCancel(subscription::cancelled);
        });
    }

    /** {@link #executeMany(LockRequest, Function)} for work that needs no handle. */
    public <T> Flux<T> executeMany(LockRequest request, Flux<T> work) {
        return executeMany(request, lock -> work);
    }

    /** As {@link #execute(LockRequest, Function)}; the lock is held from the first element until the last. */
    public <T> Flux<T> executeMany(LockRequest request, Function<? super LockHandle, ? extends Publisher<T>> work) {
        Flux<T> guarded = Flux.<T, LockHandle>usingWhen(
                        acquire(request),
                        work,
                        ReactiveLockTemplate::releaseAtEnd,
                        ReactiveLockTemplate::releaseAfter,
                        ReactiveLockTemplate::release)
                .onErrorMap(ReactiveLockTemplate::asItWasThrown)
                .doOnDiscard(LockHandle.class, LockHandle::releaseAsync);
        return Flux.defer(() -> {
            ObservedSubscription subscription = new ObservedSubscription(observer.begin(request));
            return guarded.doOnComplete(subscription::completed)
                    .doOnError(subscription::failed)
                    .doOnCancel(subscription::cancelled);
        });
    }

    /** A grant whose subscriber is gone is discarded, and thereby released. */
    private Mono<LockHandle> acquire(LockRequest request) {
        return Mono.fromFuture(() -> client.acquireAsync(request));
    }

    private static Mono<Void> release(LockHandle lock) {
        return Mono.fromFuture(lock::releaseAsync);
    }

    private static Mono<Void> releaseAtEnd(LockHandle lock) {
        return release(lock).onErrorMap(LockException.class, AtRelease::new);
    }

    /** Reactor wraps what goes wrong after the completion; the mark distinguishes it from errors of the work. */
    private static Throwable asItWasThrown(Throwable failure) {
        return failure.getCause() instanceof AtRelease marked ? marked.failure : failure;
    }

    /** What the work failed with is what the subscriber has to see; trouble at the release is added to it. */
    private static Mono<Void> releaseAfter(LockHandle lock, Throwable failure) {
        return release(lock).onErrorResume(atRelease -> {
            failure.addSuppressed(atRelease);
            return Mono.empty();
        });
    }

    /** Marks what a release after a completion failed with, while it travels. */
    private static final class AtRelease extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final LockException failure;

        AtRelease(LockException failure) {
            super(failure.getMessage(), failure, false, false);
            this.failure = failure;
        }
    }
}
