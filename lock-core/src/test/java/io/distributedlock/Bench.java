package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A client between a timeline and a store that both move by hand, so that whatever happens, happens in the test's thread. */
final class Bench {

    static final Duration WAIT_TIME = Duration.ofSeconds(5);
    static final Duration TTL = Duration.ofSeconds(30);
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    /** How long a refused waiter sleeps on this bench. */
    static final Duration POLL = Duration.ofMillis(100);
    /** No pause between a try of unknown outcome and its confirmation is longer. */
    static final Duration MAX_PAUSE = Duration.ofMillis(50);

    final ManualTimeline time = new ManualTimeline();
    final ScriptedStore store = new ScriptedStore(time);
    final List<LockEvent> events = new CopyOnWriteArrayList<>();
    final DefaultLockClient client = settings().build();
    /** Keeps handles that a test does not look at any more from being taken for forgotten. */
    private final List<LockHandle> handles = new CopyOnWriteArrayList<>();

    /** The settings of {@link #client}, for a client that differs in something. */
    DefaultLockClientBuilder settings() {
        return new DefaultLockClientBuilder(store)
                .waitTime(WAIT_TIME)
                .ttl(TTL)
                .commandTimeout(COMMAND_TIMEOUT)
                .timeline(time)
                .waiting((tries, leaseEndsIn) -> POLL)
                .executor(Runnable::run)
                .signals(Runnable::run)
                .listener(events::add);
    }

    /** A renewed lock that was granted just now. */
    LockHandle held() {
        return held(LockRequest.of("42"));
    }

    LockHandle held(LockRequest request) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(request);
        acquire().grants(7);
        handles.add(now(lock));
        return now(lock);
    }

    /**
     * Locks of a store that confirms everything, which are asked for together from now on: when the client is connected anew, it asks for all of them
     * at once, whenever they were taken.
     */
    List<LockHandle> heldTogether(int count) {
        store.always(Verb.EXTEND, ScriptedCall::confirms);
        store.always(Verb.RELEASE, ScriptedCall::frees);
        List<LockHandle> locks = IntStream.range(0, count)
                .mapToObj(i -> held(LockRequest.of("orders", "lock-" + i)))
                .toList();
        store.isReachableAgain();
        return locks;
    }

    ScriptedCall acquire() {
        return store.last(Verb.ACQUIRE);
    }

    ScriptedCall extend() {
        return store.last(Verb.EXTEND);
    }

    ScriptedCall release() {
        return store.last(Verb.RELEASE);
    }

    /** Lets the one timer pass that looks after all calls; it is not set again when none is pending. */
    void advanceToTheLookAtPendingCalls() {
        time.advance(PendingCalls.PERIOD);
    }

    void advance(Duration by) {
        time.advance(by);
    }

    void advanceMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    /** What this future has given; it has to be done by now. */
    static <T> T now(CompletableFuture<T> future) {
        assertThat(future).isCompleted();
        return future.join();
    }

    /** Why this future failed; it has to have failed by now. */
    static <X extends Throwable> X failure(Class<X> type, CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        Throwable failure = catchThrowable(future::join).getCause();
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
    }
}
