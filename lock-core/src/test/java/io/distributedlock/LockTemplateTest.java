package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockTemplateTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");
    private static final LockRequest ONCE = WANTED.withWaitTime(Duration.ZERO);
    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);

    private final Bench bench = new Bench();
    private final LockTemplate template = new LockTemplate(bench.client);
    private final AtomicLong tokens = new AtomicLong(6);
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void grantAndFree() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(tokens.incrementAndGet()));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    private Object run(LockHandle lock) {
        runs.incrementAndGet();
        return lock;
    }

    @Test
    void workRunsUnderTheLockAndItsResultIsReturned() {
        String result = template.execute(WANTED, lock -> {
            assertThat(lock.isHeld()).isTrue();
            assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
            return lock.name() + lock.key() + lock.fencingToken();
        });
        assertThat(result).isEqualTo("orders42" + (7L << 10));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void workMayHaveNoResultOrNull() {
        template.run("42", this::run);
        template.run(WANTED, this::run);
        assertThat(runs).hasValue(2);
        assertThat(template.<Object, RuntimeException>execute("42", lock -> null))
                .isNull();
    }

    @Test
    void aNestedCallForTheSameLockIsCoveredAndSendsNothing() {
        template.run(WANTED, outer -> {
            template.run(ONCE.withTtl(Duration.ofHours(1)), inner -> {
                assertThat(inner).isSameAs(outer);
                assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
                Optional<Object> third = template.tryExecute(WANTED, this::run);
                assertThat(third).contains(outer);
            });
            assertThat(outer.isHeld()).isTrue();
            assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        });
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aNestedCallForAnotherKeyIsAnotherLock() {
        template.run(
                WANTED,
                outer -> template.run(
                        LockRequest.of("orders", "43"),
                        inner -> assertThat(inner.fencingToken()).isGreaterThan(outer.fencingToken())));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.ACQUIRE, Verb.RELEASE, Verb.RELEASE);
    }

    @Test
    void aNestedCallOnAnotherThreadIsNotCovered() throws InterruptedException {
        AtomicReference<Throwable> other = new AtomicReference<>();
        template.run(WANTED, outer -> {
            Thread thread = new Thread(() -> other.set(catchThrowable(() -> template.run(ONCE, this::run))));
            thread.start();
            thread.join();
        });
        assertThat(other.get()).isInstanceOf(LockNotAcquiredException.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aNestedCallThroughAnotherClientIsNotCovered() {
        LockTemplate elsewhere = new LockTemplate(bench.settings().build());
        template.run(
                WANTED,
                outer -> elsewhere.run(WANTED, inner -> assertThat(inner).isNotSameAs(outer)));
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(2);
    }

    @Test
    void aNestedCallUnderALockThatIsLostDoesNotRun() {
        LockLostException lost = catchThrowableOfType(
                LockLostException.class,
                () -> template.run(WANTED, outer -> {
                    bench.time.pause(Bench.TTL);
                    template.run(WANTED, this::run);
                }));
        assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE);
        assertThat(runs).hasValue(0);
    }

    @Test
    void whatTheWorkThrowsReachesTheCallerAsItIs() {
        IOException thrown = new IOException("business");
        assertThatThrownBy(() -> template.run(WANTED, lock -> {
                    throw thrown;
                }))
                .isSameAs(thrown)
                .satisfies(same -> assertThat(same.getSuppressed()).isEmpty());
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void anErrorOfTheWorkReleasesTheLockToo() {
        Error error = new StackOverflowError();
        assertThat(catchThrowable(() -> template.run(WANTED, lock -> {
                    throw error;
                })))
                .isSameAs(error);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void troubleAtTheReleaseDoesNotHideWhatTheWorkThrew() {
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        IllegalStateException thrown = new IllegalStateException("business");
        assertThatThrownBy(() -> template.run(WANTED, lock -> {
                    throw thrown;
                }))
                .isSameAs(thrown)
                .satisfies(
                        same -> assertThat(same.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    @Test
    void aLockThatWasLostFailsTheCallAlthoughTheWorkSucceeded() {
        LockLostException lost = catchThrowableOfType(
                LockLostException.class,
                () -> template.execute(WANTED, lock -> {
                    bench.time.pause(Bench.TTL);
                    return "done";
                }));
        assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE);
        assertThat(lost).hasMessageContaining("'orders:42'");
    }

    @Test
    void aLockThatTheStoreForgotFailsTheCallToo() {
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        LockLostException lost =
                catchThrowableOfType(LockLostException.class, () -> template.execute(WANTED, this::run));
        assertThat(lost.reason()).isEqualTo(LossReason.NOT_OWNER);
        assertThat(runs).hasValue(1);
    }

    @Test
    void workThatThrowsTheLossItselfKeepsItsException() {
        LockLostException lost = catchThrowableOfType(
                LockLostException.class,
                () -> template.run(WANTED, lock -> {
                    bench.time.pause(Bench.TTL);
                    lock.requireHeld();
                }));
        assertThat(lost.getSuppressed()).hasSize(1);
    }

    @Test
    void workMayReleaseItsLockEarly() {
        template.run(WANTED, LockHandle::release);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aReleaseThatIsNotConfirmedDoesNotFailTheCall() {
        bench.store.always(Verb.RELEASE, call -> call.fails(Effect.UNKNOWN));
        assertThat(template.<Object, RuntimeException>execute(WANTED, this::run))
                .isNotNull();
        assertThat(bench.client.unresolved()).isEqualTo(1);
    }

    @Test
    void withoutALockNoWorkRuns() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        assertThatThrownBy(() -> template.execute(ONCE, this::run)).isInstanceOf(LockNotAcquiredException.class);
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.REFUSED));
        assertThatThrownBy(() -> template.execute(ONCE, this::run)).isInstanceOf(LockUnavailableException.class);
        assertThatThrownBy(() -> template.tryExecute(ONCE, this::run)).isInstanceOf(LockUnavailableException.class);
        assertThat(runs).hasValue(0);
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void anInterruptWhileWaitingRunsNoWork() throws InterruptedException {
        bench.store.never(Verb.ACQUIRE);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Thread.currentThread().interrupt();
            thrown.complete(catchThrowable(() -> template.execute(WANTED, this::run)));
        });
        caller.start();
        caller.join();
        assertThat(thrown.join()).isInstanceOf(LockInterruptedException.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void tryingGivesTheResultOrNothing() {
        Optional<String> done = template.tryExecute("42", lock -> "done");
        assertThat(done).contains("done");
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        assertThat(template.tryExecute(ONCE, this::run)).isEmpty();
        assertThat(runs).hasValue(0);
    }

    @Test
    void tryingTellsWhetherWorkWithoutResultWasDone() {
        assertThat(template.tryRun("42", this::run)).isTrue();
        assertThat(runs).hasValue(1);
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        assertThat(template.tryRun(WANTED, this::run)).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aRefusalInsideTheWorkIsNotTakenForARefusalOfItsOwnLock() {
        LockRequest inner = LockRequest.of("orders", "inner").withWaitTime(Duration.ZERO);
        assertThatThrownBy(() -> template.tryExecute(WANTED, lock -> {
                    bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
                    return template.execute(inner, this::run);
                }))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        refused -> assertThat(refused.lockKey()).isEqualTo("inner"));
    }
}
