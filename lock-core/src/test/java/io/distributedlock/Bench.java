package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.acquire.PendingCalls;
import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.internal.time.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A client between a timeline and a store that both move by hand, so that whatever happens, happens in the test's thread. */
public final class Bench {

    public static final Duration WAIT_TIME = Duration.ofSeconds(5);
    public static final Duration TTL = Duration.ofSeconds(30);
    public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    /** How long a refused waiter sleeps on this bench. */
    public static final Duration POLL = Duration.ofMillis(100);
    /** No pause between a try of unknown outcome and its confirmation is longer. */
    public static final Duration MAX_PAUSE = Duration.ofMillis(50);

    public final ManualScheduler time = new ManualScheduler();
    public final ScriptedStore store = new ScriptedStore(time);
    public final List<LockEvent> events = new CopyOnWriteArrayList<>();
    public final DefaultLockClient client = settings().build();
    /** Keeps handles that a test does not look at any more from being taken for forgotten. */
    private final List<LockHandle> handles = new CopyOnWriteArrayList<>();

    /** The settings of {@link #client}, for a client that differs in something. */
    public DefaultLockClientBuilder settings() {
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
    public LockHandle held() {
        return held(LockRequest.of("42"));
    }

    public LockHandle held(LockRequest request) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(request);
        acquire().grants(7);
        handles.add(now(lock));
        return now(lock);
    }

    /**
     * Locks of a store that confirms everything, which are asked for together from now on: when the client is connected anew, it asks for all of them
     * at once, whenever they were taken.
     */
    public List<LockHandle> heldTogether(int count) {
        store.always(Verb.EXTEND, ScriptedCall::confirms);
        store.always(Verb.RELEASE, ScriptedCall::frees);
        List<LockHandle> locks = IntStream.range(0, count)
                .mapToObj(i -> held(LockRequest.of("orders", "lock-" + i)))
                .toList();
        store.isReachableAgain();
        return locks;
    }

    public ScriptedCall acquire() {
        return store.last(Verb.ACQUIRE);
    }

    public ScriptedCall extend() {
        return store.last(Verb.EXTEND);
    }

    public ScriptedCall release() {
        return store.last(Verb.RELEASE);
    }

    /** Lets the one timer pass that looks after all calls; it is not set again when none is pending. */
    public void advanceToTheLookAtPendingCalls() {
        time.advance(PendingCalls.PERIOD);
    }

    public void advance(Duration by) {
        time.advance(by);
    }

    public void advanceMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    /** What this future has given; it has to be done by now. */
    public static <T> T now(CompletableFuture<T> future) {
        assertThat(future).isCompleted();
        return future.join();
    }

    /** Why this future failed; it has to have failed by now. */
    public static <X extends Throwable> X failure(Class<X> type, CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        Throwable failure = catchThrowable(future::join).getCause();
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
    }
}
