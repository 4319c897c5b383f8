package io.distributedlock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.ScriptedStore;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.time.HookedScheduler;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The clean-up after claims that no caller holds: quick, patient, bounded. */
class ReaperTest {

    private static final Claim CLAIM = new Claim("orders:1", "owner");
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration PACE = Duration.ofSeconds(1);
    private static final Release UNSETTLED = Release.of(false, false);
    private static final Duration LAST_TIMER = Duration.ofSeconds(1);

    private final ManualScheduler time = new ManualScheduler();
    private final ScriptedStore store = new ScriptedStore(time);
    private final EngineCounters counters = new EngineCounters(time);
    private final Reaper reaper = new Reaper(store, time, counters);

    private void adopt(Claim claim, Duration expiresIn, Duration lingerFor) {
        reaper.adopt(new Cleanup(claim, time.now() + expiresIn.toNanos(), lingerFor, PACE));
    }

    private void adopt() {
        adopt(CLAIM, TTL, TTL);
    }

    private List<Duration> tries() {
        return store.calls().stream().map(ScriptedCall::sentAt).toList();
    }

    private ScriptedCall release() {
        return store.last(Verb.RELEASE);
    }

    private void assertIdle() {
        assertThat(reaper.size()).isZero();
        assertThat(reaper.flushed()).isCompleted();
        assertThat(time.timers()).isZero();
    }

    @Test
    void theFirstReleaseIsSentAtOnceAndASettledAnswerIsTheEnd() {
        adopt();
        assertThat(release().claim()).isEqualTo(CLAIM);
        assertThat(release().sentAt()).isZero();
        release().freesNothing();
        assertIdle();
    }

    @Test
    void whenTheStoreCanBeReachedAgainReleasesAreSentWithoutABurst() {
        int claims = 2 * PacedSteps.TOGETHER + 50;
        for (int i = 0; i < claims; i++) {
            adopt(new Claim("orders:" + i, "owner"), Duration.ofHours(1), Duration.ofHours(1));
        }
        store.isReachableAgain();
        time.runDue();
        assertThat(store.calls()).hasSize(claims + PacedSteps.TOGETHER);
        time.advance(PacedSteps.PAUSE);
        assertThat(store.calls()).hasSize(claims + 2 * PacedSteps.TOGETHER);
        time.advance(PacedSteps.PAUSE);
        assertThat(store.calls()).hasSize(2 * claims);
    }

    @Test
    void withoutAnAnswerItIsRepeatedMoreAndMoreSlowlyButAtLeastEverySecond() {
        adopt();
        time.advance(Duration.ofSeconds(10));
        long[] ceilings = {50, 100, 200, 400, 800, 1_000, 1_000, 1_000};
        for (int i = 0; i < ceilings.length; i++) {
            Duration pause = tries().get(i + 1).minus(tries().get(i));
            assertThat(pause).isBetween(Duration.ofMillis(ceilings[i] * 3 / 4), Duration.ofMillis(ceilings[i]));
        }
    }

    @Test
    void aFailureIsRepeatedLikeSilence() {
        store.always(Verb.RELEASE, call -> call.fails(Effect.NOT_SENT));
        adopt();
        time.advance(Duration.ofMillis(150));
        assertThat(tries()).hasSize(3);
        store.always(Verb.RELEASE, call -> {
            throw new IllegalStateException("thrown instead of returned");
        });
        time.advance(Duration.ofMillis(400));
        store.always(Verb.RELEASE, ScriptedCall::frees);
        time.advance(Duration.ofMillis(800));
        assertIdle();
    }

    @Test
    void asSoonAsTheStoreIsReachableAgainEveryClaimIsReleased() {
        adopt();
        adopt(new Claim("orders:2", "other"), TTL, TTL);
        time.advance(Duration.ofSeconds(5));
        int before = tries().size();
        store.isReachableAgain();
        time.runDue();
        assertThat(tries()).hasSize(before + 2);
        store.calls().forEach(ScriptedCall::frees);
        assertIdle();
    }

    @Test
    void aLateAnswerToAnEarlyTryCountsLikeAnyOther() {
        adopt();
        time.advance(Duration.ofSeconds(2));
        store.calls().get(0).frees();
        assertIdle();
        store.calls().get(1).freesNothing();
        assertIdle();
    }

    @Test
    void aReleaseThatIsNotSettledIsRepeatedLessAndLessOftenUntilItIs() {
        adopt();
        release().releases(UNSETTLED);
        time.advanceToNextTimer();
        assertThat(tries().get(1)).isBetween(PACE.multipliedBy(3).dividedBy(4), PACE);
        release().releases(UNSETTLED);
        time.advanceToNextTimer();
        assertThat(tries().get(2).minus(tries().get(1)))
                .isBetween(PACE.multipliedBy(6).dividedBy(4), PACE.multipliedBy(2));
        release().frees();
        assertIdle();
    }

    @Test
    void aClaimThatWasFreedButNotSettledIsLookedAtOnceMore() {
        adopt();
        release().releases(Release.of(true, false));
        assertThat(reaper.size()).isEqualTo(1);
        time.advanceToNextTimer();
        release().frees();
        assertIdle();
    }

    @Test
    void theLookingEndsWhenNothingIsExpectedAnyMore() {
        adopt(CLAIM, TTL, PACE.multipliedBy(5));
        store.always(Verb.RELEASE, call -> call.releases(UNSETTLED));
        release().releases(UNSETTLED);
        time.advance(PACE.multipliedBy(10));
        assertIdle();
    }

    @Test
    void aStoreThatNoCallerCouldReachIsStillAskedAfterTheLeaseBecauseItMayExecuteWhatItWasSent() {
        adopt();
        time.advance(TTL.plus(LAST_TIMER));
        assertThat(reaper.size()).isEqualTo(1);
        assertThat(reaper.flushed()).isNotDone();
        release().frees();
        assertIdle();
    }

    @Test
    void aStoreThatComesBackLongAfterTheLeaseIsLookedAtAgainBecauseItMayOnlyNowExecuteWhatItWasSent() {
        adopt();
        time.advance(TTL.multipliedBy(2));
        store.isReachableAgain();
        time.runDue();
        release().releases(UNSETTLED);
        assertThat(reaper.size()).isEqualTo(1);
        time.advanceToNextTimer();
        release().releases(Release.of(true, false));
        assertThat(reaper.size()).isEqualTo(1);
        store.always(Verb.RELEASE, call -> call.releases(UNSETTLED));
        time.advance(TTL.multipliedBy(2));
        assertIdle();
    }

    @Test
    void anAnswerFollowedBySilenceEndsWhenEverythingMustHaveExpired() {
        adopt(CLAIM, TTL, PACE);
        release().releases(UNSETTLED);
        time.advance(TTL.minusMillis(1));
        assertThat(reaper.size()).isEqualTo(1);
        time.advance(LAST_TIMER.plusMillis(1));
        assertIdle();
    }

    @Test
    void aStoreThatNoCallerReachesForTenMinutesMoreIsGivenUp() {
        adopt();
        time.advance(TTL.plus(Duration.ofMinutes(10)).plus(LAST_TIMER));
        assertIdle();
    }

    /** It is adopted again because something was sent for it, which may come after a release that was sent before. */
    @Test
    void onlyAReleaseThatIsSentAfterItsLastAdoptionEndsTheCleanUpOfAClaim() {
        adopt();
        adopt();
        assertThat(reaper.size()).isEqualTo(1);
        assertThat(tries()).hasSize(2);
        store.calls().get(0).frees();
        assertThat(reaper.size()).isEqualTo(1);
        store.calls().get(1).freesNothing();
        assertIdle();
        assertThat(counters.resolved()).containsEntry(Ambiguity.CLEANED, 1L);
        adopt();
        assertThat(tries()).hasSize(3);
    }

    @Test
    void aClaimThatIsAdoptedAgainIsCleanedUpUntilTheLastOfItsLeasesHasExpired() {
        adopt(CLAIM, TTL, Duration.ZERO);
        time.advance(TTL.minusSeconds(1));
        adopt(CLAIM, TTL, Duration.ZERO);
        time.advance(Duration.ofMinutes(10).plusSeconds(15));
        assertThat(reaper.size()).isEqualTo(1);
        time.advance(Duration.ofSeconds(15).plus(LAST_TIMER));
        assertIdle();
    }

    @Test
    void aCleanUpThatStartsOverWhileItIsGivenUpGoesOn() {
        HookedScheduler hooked = new HookedScheduler(time);
        Reaper looked = new Reaper(store, hooked, counters);
        long expires = time.now() + TTL.toNanos();
        long givenUp = expires + Duration.ofMinutes(10).toNanos();
        looked.adopt(new Cleanup(CLAIM, expires, TTL, PACE));
        hooked.atNextLook(
                () -> time.now() - givenUp >= 0
                        && StackWalker.getInstance()
                                .walk(frames -> frames.anyMatch(
                                        each -> each.getMethodName().equals("isGivenUp"))),
                () -> looked.adopt(new Cleanup(CLAIM, givenUp, TTL, PACE)));
        time.advance(TTL.plusMinutes(10).plus(LAST_TIMER).plus(LAST_TIMER));
        assertThat(looked.size()).isEqualTo(1);
        assertThat(counters.resolved()).containsEntry(Ambiguity.EXPIRED, 0L);
    }

    /** The store may not have executed what was sent later, though it has answered what was sent before. */
    @Test
    void anAnswerToAnEarlierReleaseEndsNoGraceOfALaterAdoption() {
        HookedScheduler hooked = new HookedScheduler(time);
        Reaper looked = new Reaper(store, hooked, counters);
        Cleanup cleanup = new Cleanup(CLAIM, time.now() + TTL.toNanos(), Duration.ZERO, PACE);
        looked.adopt(cleanup);
        hooked.atNextLook(() -> looked.adopt(cleanup));
        release().releases(UNSETTLED);
        time.advance(TTL.plus(LAST_TIMER).plus(LAST_TIMER));
        assertThat(looked.size()).isEqualTo(1);
    }

    @Test
    void whatIsReleasedAfterAnotherAdoptionIsReleasedOnceMoreWithinItsLease() {
        adopt();
        time.advance(TTL.minusSeconds(2));
        adopt();
        release().frees();
        int before = store.calls().size();
        store.isReachableAgain();
        time.advance(RecentReleases.PAUSE.plusSeconds(1));
        assertThat(store.calls()).hasSize(before + 1);
    }

    @Test
    void afterAnotherAdoptionAnUnsettledClaimIsLookedAtForAsLongAgain() {
        Duration linger = Duration.ofSeconds(5);
        store.always(Verb.RELEASE, call -> call.releases(UNSETTLED));
        adopt(CLAIM, TTL, linger);
        time.advance(linger.minusMillis(10));
        store.never(Verb.RELEASE);
        time.advance(Duration.ofSeconds(1));
        adopt(CLAIM, TTL, linger);
        release().releases(UNSETTLED);
        assertThat(reaper.size()).isEqualTo(1);
    }

    @Test
    void flushedMeansThatEveryClaimOfThisMomentIsDone() {
        adopt();
        adopt(new Claim("orders:2", "other"), TTL, TTL);
        CompletableFuture<Void> flushed = reaper.flushed();
        store.calls().get(0).frees();
        assertThat(flushed).isNotDone();
        store.calls().get(1).freesNothing();
        assertThat(flushed).isCompleted();
    }

    @Test
    void beyondItsCapacityTheClaimThatExpiresSoonestIsLeftToExpire() {
        Claim soonest = new Claim("soonest", "owner");
        adopt(soonest, TTL.minusSeconds(1), TTL);
        for (int i = 1; i < Reaper.CAPACITY; i++) {
            adopt(new Claim("orders:" + i, "owner"), TTL, TTL);
        }
        assertThat(counters.resolved()).containsEntry(Ambiguity.DROPPED, 0L);
        adopt(new Claim("orders:0", "owner"), TTL, TTL);
        assertThat(reaper.size()).isEqualTo(Reaper.CAPACITY);
        assertThat(counters.resolved()).containsEntry(Ambiguity.DROPPED, 1L);
        time.advance(Duration.ofSeconds(2));
        assertThat(store.calls().stream().filter(call -> call.claim().equals(soonest)))
                .hasSize(1);
    }

    private void fill() {
        for (int i = 1; i <= Reaper.CAPACITY; i++) {
            adopt(new Claim("earlier:" + i, "owner"), TTL, TTL);
        }
    }

    @Test
    void aFurtherClaimIsTriedAlsoIfItIsTheNextToExpire() {
        fill();
        adopt(CLAIM, Duration.ofMillis(50), TTL);
        assertThat(release().claim()).isEqualTo(CLAIM);
        assertThat(reaper.size()).isEqualTo(Reaper.CAPACITY);
    }

    @Test
    void aFurtherClaimThatIsReleasedAtOnceNeedsNoRoom() {
        fill();
        store.always(Verb.RELEASE, ScriptedCall::frees);
        adopt();
        assertThat(reaper.size()).isEqualTo(Reaper.CAPACITY);
        assertThat(counters.resolved()).containsEntry(Ambiguity.DROPPED, 0L);
    }

    @Test
    void amongManyWithTheSameExpiryEachFurtherClaimTakesThePlaceOfTheOldest() {
        fill();
        for (int i = 1; i <= Reaper.CAPACITY; i++) {
            adopt(new Claim("further:" + i, "owner"), TTL, TTL);
        }
        assertThat(counters.resolved()).containsEntry(Ambiguity.DROPPED, (long) Reaper.CAPACITY);
        store.always(Verb.RELEASE, ScriptedCall::frees);
        int before = store.calls().size();
        store.isReachableAgain();
        time.advance(PacedSteps.PAUSE.multipliedBy(Reaper.CAPACITY / PacedSteps.TOGETHER));
        assertThat(store.calls().subList(before, before + Reaper.CAPACITY))
                .allMatch(call -> call.claim().id().startsWith("further"));
        assertThat(reaper.size()).isZero();
    }

    @Test
    void aClosedTimelineEndsTheRepetitions() {
        adopt();
        time.close();
        time.advance(Duration.ofMinutes(1));
        assertThat(tries()).hasSize(1);
    }
}
