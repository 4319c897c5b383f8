package io.distributedlock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.ScriptedStore;
import io.distributedlock.internal.time.FailingScheduler;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The store may come back with older data, in which a claim that was released holds its lock again. */
class RecentReleasesTest {

    private static final Claim CLAIM = new Claim("orders:1", "owner");
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final ManualScheduler time = new ManualScheduler();
    private final ScriptedStore store = new ScriptedStore(time);
    private final FailingScheduler timers = new FailingScheduler(time);
    private final RecentReleases released = new RecentReleases(store, timers);

    private List<Claim> repeated() {
        int before = store.calls(Verb.RELEASE).size();
        store.isReachableAgain();
        time.advance(RecentReleases.PAUSE);
        time.advance(RecentReleases.PAUSE);
        return store.calls(Verb.RELEASE).stream()
                .skip(before)
                .map(ScriptedCall::claim)
                .toList();
    }

    @Test
    void itIsReleasedAgainEachTimeTheStoreCanBeReachedAgain() {
        released.add(CLAIM, LEASE);
        assertThat(repeated()).containsExactly(CLAIM);
        store.last(Verb.RELEASE).fails(Effect.NOT_SENT);
        assertThat(repeated()).containsExactly(CLAIM);
    }

    @Test
    void itIsForgottenWhenItsLeaseWouldHaveEnded() {
        released.add(CLAIM, LEASE);
        time.advance(LEASE);
        assertThat(repeated()).isEmpty();
        store.isReachableAgain();
        assertThat(time.timers()).isZero();
    }

    @Test
    void whereItsLeaseEndsSoonItIsLeftToThat() {
        released.add(CLAIM, RecentReleases.SHORTEST_LEASE.minusNanos(1));
        assertThat(repeated()).isEmpty();
    }

    @Test
    void aConnectionThatBreaksAgainAndAgainIsNotGivenTheSameEachTime() {
        released.add(CLAIM, LEASE);
        store.isReachableAgain();
        store.isReachableAgain();
        assertThat(repeated()).hasSize(1);
    }

    @Test
    void ofTooManyThoseWithTheShortestLeasesAreForgotten() {
        released.add(CLAIM, LEASE);
        for (int i = 0; i < 2 * RecentReleases.CAPACITY; i++) {
            released.add(new Claim("orders:2", "owner" + i), RecentReleases.SHORTEST_LEASE);
        }
        assertThat(repeated()).hasSize(RecentReleases.CAPACITY).contains(CLAIM);
    }

    @Test
    void releasesThatAreConfirmedMeanwhileDoNotWaitForTheRepetition() {
        released.add(CLAIM, LEASE);
        store.always(
                Verb.RELEASE,
                call -> assertThat(
                                CompletableFuture.runAsync(() -> released.add(new Claim("orders:2", "other"), LEASE)))
                        .succeedsWithin(Duration.ofSeconds(10)));
        assertThat(repeated()).containsExactly(CLAIM);
    }

    @Test
    void manyAreNotRepeatedAtOnce() {
        for (int i = 0; i < RecentReleases.CAPACITY; i++) {
            released.add(new Claim("orders:2", "owner" + i), LEASE);
        }
        store.isReachableAgain();
        time.advance(RecentReleases.PAUSE);
        assertThat(store.calls(Verb.RELEASE)).hasSize(PacedSteps.TOGETHER);
    }

    @Test
    void aStoreThatThrowsForOneIsGivenTheOthers() {
        released.add(CLAIM, LEASE);
        released.add(new Claim("orders:2", "other"), LEASE);
        store.always(Verb.RELEASE, call -> {
            throw new IllegalStateException("expected");
        });
        assertThat(repeated()).hasSize(2);
    }

    @Test
    void aRepetitionThatCannotBePlannedStopsNoLaterOne() {
        released.add(CLAIM, LEASE);
        timers.failNext();
        assertThatThrownBy(store::isReachableAgain).isInstanceOf(InternalError.class);
        assertThat(repeated()).containsExactly(CLAIM);
    }
}
