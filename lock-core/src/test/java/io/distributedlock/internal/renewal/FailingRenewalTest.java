package io.distributedlock.internal.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever anybody throws, wherever: locks that are held go on being renewed, and losses go on being told. */
@Timeout(60)
class FailingRenewalTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");
    private static final LockRequest OTHER = LockRequest.of("orders", "43");
    private static final LockRequest THIRD = LockRequest.of("orders", "44");
    private static final Duration HOUR = Duration.ofHours(1);

    private final Bench bench = new Bench();

    private void assertRenewed(LockHandle lock) {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(HOUR);
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSizeGreaterThan(350);
    }

    private static Consumer<ScriptedCall> thatThrows(RuntimeException failure) {
        return call -> {
            throw failure;
        };
    }

    @Test
    void aListenerThatThrowsAtEveryKindOfEvent() {
        Set<Class<?>> thrownAt = ConcurrentHashMap.newKeySet();
        LockClient client = bench.settings()
                .listener(event -> {
                    thrownAt.add(event.getClass());
                    throw new IllegalStateException("listener");
                })
                .build();
        LockHandle lock = held(client, WANTED);
        refuse(client);
        LockHandle lost = held(client, OTHER.withMaxHold(Duration.ofSeconds(1)));
        bench.advance(Duration.ofSeconds(1));
        assertThat(lost.isHeld()).isFalse();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        held(client, OTHER).releaseAsync();
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.REFUSED));
        bench.advance(Duration.ofSeconds(12));
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofSeconds(2));
        bench.time.pause(Duration.ofSeconds(20));
        assertRenewed(lock);
        await().untilAsserted(
                        () -> assertThat(thrownAt).containsExactlyInAnyOrder(LockEvent.class.getPermittedSubclasses()));
    }

    private LockHandle held(LockClient client, LockRequest request) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(request);
        bench.acquire().grants(7);
        return Bench.now(lock);
    }

    private void refuse(LockClient client) {
        CompletableFuture<LockHandle> refused = client.acquireAsync(THIRD.withWaitTime(Duration.ZERO));
        bench.acquire().refuses(HOUR);
        assertThat(refused).isCompletedExceptionally();
    }

    @Test
    void aCallbackOfOneLossThatThrowsKeepsNoOtherFromBeingTold() {
        LockHandle kept = bench.held();
        LockHandle lost = bench.held(OTHER.withMaxHold(Duration.ofSeconds(1)));
        AtomicInteger told = new AtomicInteger();
        lost.lost().thenAccept(reason -> told.incrementAndGet());
        lost.lost().thenAccept(reason -> {
            throw new IllegalStateException("callback");
        });
        lost.lost().thenAccept(reason -> told.incrementAndGet());
        bench.advance(Duration.ofSeconds(1));
        assertThat(told).hasValue(2);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
        assertRenewed(kept);
    }

    @Test
    void aStoreThatThrowsInsteadOfAnswering() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.EXTEND, thatThrows(new IllegalStateException("extend")));
        bench.advance(Duration.ofSeconds(20));
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertRenewed(lock);
    }

    @Test
    void aStoreThatThrowsAnErrorInsteadOfAnswering() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.EXTEND, call -> {
            throw new NoClassDefFoundError("driver");
        });
        bench.advance(Duration.ofSeconds(20));
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertRenewed(lock);
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void aStoreWhoseAnswerIsAnyFailure(Class<? extends Throwable> failure) throws ReflectiveOperationException {
        Throwable thrown = failure.getConstructor(String.class).newInstance("answer");
        LockHandle lock = bench.held();
        bench.store.always(Verb.EXTEND, call -> call.fails(thrown));
        bench.advance(Duration.ofSeconds(20));
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertRenewed(lock);
    }

    @Test
    void aStoreThatThrowsWhenItIsAskedToConnect() {
        LockHandle lock = bench.held();
        bench.store.whenAskedToConnect(() -> {
            throw new NoClassDefFoundError("connect");
        });
        CompletableFuture<LockHandle> other = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        assertThat(other).isCompletedExceptionally();
        assertRenewed(lock);
    }

    @Test
    void anExecutorThatRefusesOrFails() {
        AtomicBoolean refusing = new AtomicBoolean(true);
        LockClient client = bench.settings()
                .executor(task -> {
                    if (refusing.getAndSet(!refusing.get())) {
                        throw new RejectedExecutionException("full");
                    }
                    throw new IllegalStateException("broken");
                })
                .build();
        LockHandle lock = held(client, WANTED);
        LockHandle lost = held(client, OTHER.withMaxHold(Duration.ofSeconds(1)));
        bench.advance(Duration.ofSeconds(1));
        assertThat(lost.lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
        assertRenewed(lock);
    }

    @Test
    void oneLockWhoseRevalidationFailsKeepsNoOtherFromBeingAskedFor() {
        LockHandle first = bench.held();
        LockHandle second = bench.held(OTHER);
        AtomicBoolean once = new AtomicBoolean(true);
        bench.store.always(Verb.EXTEND, call -> {
            if (once.getAndSet(false)) {
                throw new IllegalStateException("extend");
            }
            call.confirms();
        });
        bench.store.isReachableAgain();
        bench.time.runDue();
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(2);
        bench.advance(Duration.ofSeconds(2));
        assertThat(first.state()).isEqualTo(LockState.HELD);
        assertThat(second.state()).isEqualTo(LockState.HELD);
    }
}
