package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.time.HookedScheduler;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller that goes away, at every point of its way to a lock: nothing of it stays behind. */
class WithdrawalTest {

    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);
    private static final LockRequest WANTED = LockRequest.of("42");

    private final Bench bench = new Bench();

    /** The points at which an acquisition can be left. */
    enum Point {
        CONNECTING(false) {
            @Override
            void reach(Bench bench) {
                assertThat(bench.store.calls()).isEmpty();
            }
        },
        TRYING(true) {
            @Override
            void reach(Bench bench) {
                assertThat(bench.acquire().isAnswered()).isFalse();
            }
        },
        WAITING(false) {
            @Override
            void reach(Bench bench) {
                bench.acquire().refuses(LEASE_ENDS);
            }
        },
        RETRYING(false) {
            @Override
            void reach(Bench bench) {
                bench.acquire().fails(Effect.REFUSED);
            }
        },
        ABOUT_TO_CONFIRM(true) {
            @Override
            void reach(Bench bench) {
                bench.acquire().fails(Effect.UNKNOWN);
            }
        },
        CONFIRMING(true) {
            @Override
            void reach(Bench bench) {
                bench.acquire().fails(Effect.UNKNOWN);
                bench.advance(Bench.MAX_PAUSE);
                assertThat(bench.acquire().isAnswered()).isFalse();
            }
        },
        WAITING_AFTER_AN_UNKNOWN_TRY(true) {
            @Override
            void reach(Bench bench) {
                CONFIRMING.reach(bench);
                bench.acquire().refuses(LEASE_ENDS);
            }
        },
        REFRESHING_A_GRANT_WITH_LITTLE_LEFT(true) {
            @Override
            void reach(Bench bench) {
                bench.acquire().grantsAgain(7, Duration.ofSeconds(1));
                assertThat(bench.extend().isAnswered()).isFalse();
            }
        };

        private final boolean leavesSomething;

        Point(boolean leavesSomething) {
            this.leavesSomething = leavesSomething;
        }

        abstract void reach(Bench bench);
    }

    private void prepare(Point point) {
        if (point == Point.CONNECTING) {
            bench.store.readyWhen(new CompletableFuture<>());
        }
    }

    private void assertWithdrawn(Point point) {
        assertThat(bench.client.unresolved()).isEqualTo(point.leavesSomething ? 1 : 0);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(point.leavesSomething ? 1 : 0);
        int tries = bench.store.calls(Verb.ACQUIRE).size();
        if (point.leavesSomething) {
            bench.release().frees();
        }
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        bench.store.readyWhen(CompletableFuture.completedFuture(null));
        bench.advance(Duration.ofMinutes(1));
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(tries);
        assertThat(bench.client.unresolved()).isZero();
        assertThat(bench.client.held()).isEmpty();
        assertThat(bench.time.timers()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aCancelledCallLeavesNothingBehind(Point point) {
        prepare(point);
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        point.reach(bench);
        assertThat(call.cancel(false)).isTrue();
        assertWithdrawn(point);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedCallLeavesNothingBehindAndKeepsTheFlag(Point point) throws InterruptedException {
        prepare(point);
        AtomicReference<LockInterruptedException> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            thrown.set(catchThrowableOfType(LockInterruptedException.class, () -> bench.client.acquire(WANTED)));
            flag.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        await().until(() -> caller.getState() == Thread.State.WAITING);
        point.reach(bench);
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).hasMessageContaining("'42'").hasMessageContaining("withdrawn");
        assertThat(flag.get()).isTrue();
        assertWithdrawn(point);
    }

    @ParameterizedTest
    @EnumSource
    void aDrainedClientFailsItsWaitersAtOnceAndLeavesNothingBehind(Point point) {
        prepare(point);
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        point.reach(bench);
        bench.client.drain(Duration.ZERO);
        LockUnavailableException closed = failure(LockUnavailableException.class, call);
        assertThat(closed.outcome()).isEqualTo(Outcome.CLOSED);
        assertThat(closed).hasMessageContaining("'42'");
        assertWithdrawn(point);
    }

    @ParameterizedTest
    @EnumSource
    void aGrantThatArrivesAfterTheCallerHasGoneIsTakenBack(Point point) {
        prepare(point);
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        point.reach(bench);
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        assertThat(call.cancel(false)).isTrue();
        int before = bench.store.calls(Verb.RELEASE).size();
        boolean open = bench.store.calls(Verb.ACQUIRE).stream().anyMatch(sent -> !sent.isAnswered());
        bench.store.calls(Verb.ACQUIRE).forEach(each -> each.grants(7));
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(before + (open ? 1 : 0));
        assertThat(bench.client.unresolved()).isZero();
    }

    /** The release of a call that ends while its try is being sent may come before the try. */
    @Test
    void aClaimThatIsQueuedAfterItsCallHasEndedIsWithdrawn() {
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        bench.acquire().refuses(LEASE_ENDS);
        bench.store.always(Verb.ACQUIRE, second -> {
            call.cancel(false);
            second.queues(LEASE_ENDS);
        });
        bench.advance(Bench.POLL);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.ACQUIRE, Verb.RELEASE, Verb.RELEASE);
        assertThat(bench.client.unresolved()).isZero();
    }

    /** Here no answer says whether the try came after the release, and that is not answered yet. */
    @Test
    void aTryWhoseAnswerIsLostAfterItsCallHasEndedIsTakenBack() {
        ScriptedCall second = tryThatIsSentAfterItsCallHasEnded();
        second.fails(Effect.UNKNOWN);
        List<ScriptedCall> releases = bench.store.calls(Verb.RELEASE);
        assertThat(releases).hasSize(2);
        releases.get(0).freesNothing();
        assertThat(bench.client.unresolved()).isEqualTo(1);
        releases.get(1).frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aTryThatIsNeverAnsweredIsTakenBackAfterItsCallHasEnded() {
        tryThatIsSentAfterItsCallHasEnded();
        bench.release().freesNothing();
        bench.advance(Bench.COMMAND_TIMEOUT);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aTryThatTheStoreRefusesToExecuteAfterItsCallHasEndedNeedsNoFurtherRelease() {
        ScriptedCall second = tryThatIsSentAfterItsCallHasEnded();
        bench.release().freesNothing();
        second.fails(Effect.REFUSED);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
        assertThat(bench.client.unresolved()).isZero();
    }

    /** The call ends between the look whether it goes on and the extension of a grant with little left. */
    @Test
    void aGrantThatIsExtendedAfterItsCallHasEndedIsTakenBackThoughTheExtensionIsNeverAnswered() {
        HookedScheduler time = new HookedScheduler(bench.time);
        CompletableFuture<LockHandle> call =
                bench.settings().timeline(time).build().acquireAsync(WANTED);
        time.atNextLook(
                () -> StackWalker.getInstance()
                        .walk(frames ->
                                frames.anyMatch(each -> each.getMethodName().equals("refresh"))),
                () -> assertThat(call.cancel(false)).isTrue());
        bench.acquire().grantsAgain(7, Duration.ofSeconds(1));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.EXTEND);
        bench.advance(Bench.COMMAND_TIMEOUT);
        bench.release().frees();
    }

    private ScriptedCall tryThatIsSentAfterItsCallHasEnded() {
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        bench.acquire().refuses(LEASE_ENDS);
        bench.store.always(Verb.ACQUIRE, second -> call.cancel(false));
        bench.advance(Bench.POLL);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.ACQUIRE, Verb.RELEASE);
        return bench.store.calls(Verb.ACQUIRE).get(1);
    }

    @Test
    void aThreadThatIsInterruptedAlreadySendsNothingAndKeepsItsFlag() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> bench.client.acquire(WANTED)).isInstanceOf(LockInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(bench.store.calls()).isEmpty();
    }

    @Test
    void aGrantInTheSameMomentAsACancellationIsReleased() {
        Deque<Runnable> callers = new ArrayDeque<>();
        LockClient client = bench.settings().executor(callers::add).build();
        CompletableFuture<LockHandle> call = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        assertThat(call.cancel(false)).isTrue();
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        callers.remove().run();
        bench.release().frees();
        assertThat(client.held()).isEmpty();
        assertThat(client.unresolved()).isZero();
    }

    @Test
    void aCallThatItsCallerTimesOutIsWithdrawnToo() {
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        assertThat(call.completeExceptionally(new TimeoutException("enough"))).isTrue();
        assertWithdrawn(Point.TRYING);
    }

    @Test
    void anInterruptAtTheMomentOfTheGrantEitherGivesTheLockOrReleasesIt() throws InterruptedException {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        for (int round = 0; round < 500; round++) {
            int before = bench.store.calls().size();
            Thread caller = new Thread(() -> {
                try (LockHandle lock = bench.client.acquire(WANTED)) {
                    assertThat(lock.isHeld()).isTrue();
                } catch (LockInterruptedException gone) {
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
            });
            caller.start();
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .until(() -> bench.store.calls().size() > before);
            ScriptedCall sent = bench.store.calls().get(before);
            Thread granting = new Thread(() -> sent.grants(7));
            granting.start();
            caller.interrupt();
            granting.join();
            caller.join();
            assertThat(bench.client.held()).isEmpty();
            assertThat(bench.client.unresolved()).isZero();
            assertThat(bench.store.calls().size()).isGreaterThanOrEqualTo(before + 2);
        }
    }
}
