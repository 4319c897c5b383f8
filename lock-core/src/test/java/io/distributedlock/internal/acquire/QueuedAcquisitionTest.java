package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Ways to a lock through the queue of a store. */
class QueuedAcquisitionTest {

    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);
    private static final Duration DIRECT = Duration.ofSeconds(3);
    private static final Duration RECHECK = Duration.ofMillis(3_300);
    private static final LockRequest WANTED = LockRequest.of("42");
    private static final int ROUNDS = 1_000;
    private static final int LONGEST_PAUSE = 1_000;

    private final Bench bench = new Bench();

    private CompletableFuture<LockHandle> acquire() {
        return bench.client.acquireAsync(WANTED);
    }

    /** The store gives the lock to the queued claim, so many milliseconds after the refused try was sent. */
    private static void handOver(CompletableFuture<Optional<Granted>> news, long token, long millis) {
        news.complete(Optional.of(new Granted(token, DIRECT.plusMillis(millis), true)));
    }

    @Test
    void aStoreIsToldHowLongTheClaimWillWait() {
        acquire();
        assertThat(bench.acquire().patience()).isEqualTo(Bench.WAIT_TIME);
        bench.advanceMillis(200);
        bench.acquire().refuses(LEASE_ENDS);
        bench.advance(Bench.POLL);
        assertThat(bench.acquire().patience()).isEqualTo(Bench.WAIT_TIME.minusMillis(300));
    }

    @Test
    void aWaitTimeOfZeroHasNoPatience() {
        bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        assertThat(bench.acquire().patience()).isZero();
    }

    @Test
    void aLockThatIsHandedOverIsHeldWithoutAnotherCommand() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withTtl(DIRECT));
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        bench.advanceMillis(1_000);
        handOver(news, 7, 1_000);
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(now(lock).fencingToken() >> 10).isEqualTo(7);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
    }

    /** Its turn may have come meanwhile, so "nothing was written" would be a lie. */
    @Test
    void aQueuedClaimWhoseStoreIsOutOfReachWhenTheWaitEndsHasAnUnknownOutcome() {
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().queues(LEASE_ENDS);
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.NOT_SENT));
        bench.advance(Bench.WAIT_TIME);
        LockUnavailableException unknown = failure(LockUnavailableException.class, lock);
        assertThat(unknown.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(unknown).hasMessageContaining("clean-up is scheduled");
        assertThat(bench.release().claim())
                .isEqualTo(bench.store.calls(Verb.ACQUIRE).get(0).claim());
    }

    @Test
    void theDeadlineCountsFromTheRefusedTryHoweverLateTheNewsCome() {
        CompletableFuture<LockHandle> lock = acquire();
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        bench.advanceMillis(2_500);
        handOver(news, 7, 1_000);
        assertThat(now(lock).remaining()).isBetween(Duration.ofMillis(1_300), Duration.ofMillis(1_500));
    }

    @Test
    void newsThatComeWhenLittleIsLeftMakeTheClaimAskAgainForAWholeLease() {
        CompletableFuture<LockHandle> lock = acquire();
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        bench.advanceMillis(3_000);
        handOver(news, 7, 500);
        bench.time.runDue();
        assertThat(lock).isNotDone();
        bench.acquire().grantsAgain(9, Duration.ofMillis(500));
        bench.extend().confirms();
        assertThat(now(lock).remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(now(lock).fencingToken() >> 10).isEqualTo(9);
    }

    @Test
    void aRenewedLockThatIsHandedOverWithLessThanHalfOfItsTtlIsExtendedSoon() {
        CompletableFuture<LockHandle> lock = acquire();
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        assertThat(now(lock).state()).isEqualTo(LockState.HELD);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
        bench.advanceMillis(10);
        assertThat(bench.extend().ttl()).isEqualTo(Bench.TTL);
        bench.extend().confirms();
        assertThat(now(lock).remaining()).isGreaterThan(Duration.ofSeconds(29));
        bench.advanceMillis(7_900);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
    }

    @Test
    void aHandedOverLockThatIsReleasedRightAwayIsNeverExtended() {
        CompletableFuture<LockHandle> lock = acquire();
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.advanceMillis(9);
        now(lock).release();
        bench.advanceMillis(1_000);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }

    @Test
    void aRenewedLockThatIsHandedOverWithMoreThanHalfOfItsTtlWaitsForItsRenewal() {
        CompletableFuture<LockHandle> lock =
                bench.settings().ttl(Duration.ofSeconds(5)).build().acquireAsync(WANTED);
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        assertThat(now(lock).remaining()).isGreaterThan(Duration.ofMillis(2_500));
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
        bench.advanceMillis(1_667);
        assertThat(bench.extend().ttl()).isEqualTo(Duration.ofSeconds(5));
    }

    /** The first look at the lock has to go by what is left, not by a period since the grant. */
    @Test
    void aRenewedLockOfAFewSecondsIsKeptHoweverLateTheNewsOfItsHandOverCome() {
        for (int ttl = 3_000; ttl <= 5_000; ttl += 500) {
            for (int late = 0; late <= 2_000; late += 100) {
                Bench other = new Bench();
                other.store.always(Verb.EXTEND, ScriptedCall::confirms);
                CompletableFuture<LockHandle> lock =
                        other.settings().ttl(Duration.ofMillis(ttl)).build().acquireAsync(WANTED);
                CompletableFuture<Optional<Granted>> news = other.acquire().queues(LEASE_ENDS);
                other.advanceMillis(late);
                handOver(news, 7, 0);
                other.time.runDue();
                if (!lock.isDone()) {
                    other.acquire().grantsAgain(9, DIRECT.minusMillis(late));
                }
                LockHandle held = now(lock);
                for (int elapsed = 0; elapsed < 10_000; elapsed += 50) {
                    other.advanceMillis(50);
                    assertThat(held.isHeld())
                            .as("ttl %d ms, news after %d ms, held for %d ms", ttl, late, elapsed)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aShortLeaseIsLongEnoughToRepeatARenewalThatIsNotAnswered() {
        CompletableFuture<LockHandle> lock = acquire();
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        bench.advanceMillis(2_300);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSizeGreaterThanOrEqualTo(2);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advanceMillis(400);
        assertThat(now(lock).remaining()).isGreaterThan(Duration.ofSeconds(29));
    }

    @Test
    void anExplicitTtlIsStretchedIfTheLockIsStillHeldAfterAThirdOfWhatWasHandedOver() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withTtl(Duration.ofSeconds(4)));
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        bench.advanceMillis(900);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
        bench.advanceMillis(100);
        assertThat(bench.extend().ttl()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_101));
        bench.extend().confirms();
        bench.advanceMillis(2_500);
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
    }

    @Test
    void anExplicitTtlThatTheStoreHasGivenWhollyNeedsNoOtherCommand() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withTtl(DIRECT));
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
    }

    @Test
    void aQueuedWaiterLooksSeldomButNeverLaterThanAtTheEndOfALease() {
        acquire();
        bench.acquire().queues(LEASE_ENDS);
        bench.advance(DIRECT.minusMillis(1));
        assertThat(bench.store.calls()).hasSize(1);
        bench.advance(RECHECK.minus(DIRECT).plusMillis(1));
        bench.acquire().queues(Duration.ofMillis(500));
        bench.advanceMillis(552);
        assertThat(bench.store.calls()).hasSize(3);
    }

    @Test
    void newsOfSomethingElseMakeAQueuedWaiterTryAtOnce() {
        CompletableFuture<LockHandle> lock = acquire();
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        news.complete(Optional.empty());
        bench.time.runDue();
        bench.acquire().grants(7);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void aGrantWhoseNewsWereLostIsFoundByTheNextTry() {
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().queues(LEASE_ENDS);
        bench.advance(RECHECK);
        bench.acquire().grantsAgain(7, Duration.ofSeconds(1));
        bench.extend().confirms();
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void aGrantMayComeWhileATryIsOnItsWay() {
        CompletableFuture<LockHandle> lock = acquire();
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        bench.advance(RECHECK);
        ScriptedCall again = bench.acquire();
        handOver(news, 7, RECHECK.toMillis());
        assertThat(now(lock).isHeld()).isTrue();
        again.grantsAgain(8, Duration.ofMillis(2_900));
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
    }

    @Test
    void aWaiterThatTimesOutIsWithdrawn() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ofMillis(100)));
        bench.acquire().queues(LEASE_ENDS);
        bench.advanceMillis(100);
        bench.acquire().queues(LEASE_ENDS);
        assertThat(failure(LockNotAcquiredException.class, lock)).isNotNull();
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
        bench.advanceToTheLookAtPendingCalls();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aWaiterThatIsCancelledIsWithdrawnAlsoIfItIsNotQueuedAnyMore() {
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().queues(LEASE_ENDS);
        bench.advance(RECHECK);
        bench.acquire().refuses(LEASE_ENDS);
        lock.cancel(false);
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLockThatIsHandedOverToACancelledWaiterIsPassedOn() {
        CompletableFuture<LockHandle> lock = acquire();
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        lock.cancel(false);
        bench.release().freesNothing();
        handOver(news, 7, 0);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
        assertThat(bench.client.held()).isEmpty();
    }

    @Test
    void aWaiterThatIsQueuedByATryWhoseReplyComesTooLateHearsOfItsGrant() {
        CompletableFuture<LockHandle> lock = acquire();
        ScriptedCall slow = bench.acquire();
        bench.advance(Bench.COMMAND_TIMEOUT.plus(Bench.MAX_PAUSE));
        CompletableFuture<Optional<Granted>> news = slow.queues(LEASE_ENDS);
        handOver(news, 7, 1_000);
        assertThat(now(lock).isHeld()).isTrue();
        bench.store.calls(Verb.ACQUIRE).get(1).fails(Effect.NOT_SENT);
        assertThat(now(lock).isHeld()).isTrue();
    }

    @Test
    void aHolderThatNeedsMoreThanTheShortLeaseOfAHandOverHasItExtendedAtOnce() {
        CompletableFuture<LockHandle> lock = acquire();
        handOver(bench.acquire().queues(LEASE_ENDS), 7, 0);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        now(lock).requireHeld(Duration.ofSeconds(1));
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
        now(lock).requireHeld(Duration.ofSeconds(10));
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
        bench.advanceMillis(10);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
    }

    /** The promise counts from the refused try, by the server's clock, which has gone on meanwhile. */
    @Test
    void aLockWithATtlThatWasHandedOverAcrossASuspensionIsNotExtendedAgainAndAgain() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withTtl(DIRECT));
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(LEASE_ENDS);
        bench.advanceMillis(1);
        Duration handedOverAt = bench.time.elapsed();
        Duration ends = handedOverAt.plus(DIRECT);
        bench.store.always(Verb.EXTEND, call -> call.confirms(ends.minus(bench.time.elapsed())));
        bench.time.suspend(Duration.ofSeconds(2));
        handOver(news, 7, 2_001);
        assertThat(now(lock).isHeld()).isTrue();
        bench.advanceMillis(2_500);
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.EXTEND))
                .isNotEmpty()
                .allMatch(call -> call.sentAt().equals(handedOverAt));
    }

    /** A timer is due for the next try when the message of a grant arrives, and its thread sends that now and then. */
    @Test
    void aTryThatIsSentWhileAGrantArrivesIsTakenBackAfterTheRelease() throws Exception {
        ExecutorService timers = Executors.newSingleThreadExecutor();
        Random pauses = new Random(7);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Bench each = new Bench();
                each.store.always(Verb.EXTEND, ScriptedCall::confirms);
                CompletableFuture<LockHandle> lock = each.client.acquireAsync(LockRequest.of("42"));
                CompletableFuture<Optional<Granted>> news = each.acquire().queues(Duration.ofMillis(10));
                each.time.pause(Bench.POLL.multipliedBy(2));
                Future<?> timer = timers.submit(each.time::runDue);
                for (int pause = pauses.nextInt(LONGEST_PAUSE); pause > 0; pause--) {
                    Thread.onSpinWait();
                }
                news.complete(Optional.of(new Granted(7, Duration.ofSeconds(3), true)));
                timer.get();
                int tries = each.store.calls(Verb.ACQUIRE).size();
                each.advance(Bench.COMMAND_TIMEOUT);
                now(lock).releaseAsync();
                each.release().releases(Release.of(true, false));
                assertThat(each.client.unresolved()).as("round %d", round).isGreaterThanOrEqualTo(tries - 1);
            }
        } finally {
            timers.shutdown();
        }
    }
}
