package io.distributedlock.quorum;

import static io.distributedlock.quorum.TestNode.Line.ACQUIRES_OVERTAKEN;
import static io.distributedlock.quorum.TestNode.Line.DOWN;
import static io.distributedlock.quorum.TestNode.Line.HELD;
import static io.distributedlock.quorum.TestNode.Line.REPLIES_LOST;
import static io.distributedlock.quorum.TestNode.Line.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.internal.time.FailingScheduler;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReleaseTest extends QuorumTest {

    @Test
    void aReleaseFreesAllNodesAndNeedsNoSecondOne() {
        granted(claim);
        assertThat(release(claim)).isEqualTo(Release.of(true, true));
        assertThat(keepers()).isZero();
        assertThat(release(claim)).isEqualTo(Release.of(false, true));
        later();
        assertThat(time.timers()).isZero();
    }

    @Test
    void aNodeThatTheReleaseDidNotReachIsReleasedWhenItIsBack() {
        granted(claim);
        line(DOWN, 5);
        assertThat(release(claim)).isEqualTo(Release.of(true, false));
        assertThat(node(5).keeps(ID)).isTrue();
        node(5).reconnect();
        time.advance(Duration.ZERO);
        assertThat(node(5).keeps(ID)).isFalse();
        assertThat(release(claim)).isEqualTo(Release.of(false, true));
    }

    @Test
    void aNodeThatDoesNotTellOfItsReturnIsAskedAgainAndAgain() {
        granted(claim);
        line(DOWN, 5);
        release(claim);
        later();
        assertThat(node(5).keeps(ID)).isTrue();
        line(UP, 5);
        later();
        assertThat(node(5).keeps(ID)).isFalse();
        assertThat(store.unfinishedReleases()).isZero();
    }

    @Test
    void aNodeThatIsGoneForGoodIsGivenUpInTheEnd() {
        granted(claim);
        line(DOWN, 5);
        release(claim);
        time.advance(Duration.ofMinutes(11));
        assertThat(store.unfinishedReleases()).isZero();
        assertThat(time.timers()).isZero();
    }

    @Test
    void aReleaseDoesNotWaitForSilentNodes() {
        granted(claim);
        line(HELD, 4, 5);
        assertThat(release(claim)).isEqualTo(Release.of(true, false));
        nodes.forEach(TestNode::deliver);
        assertThat(keepers()).isZero();
        assertThat(release(claim)).isEqualTo(Release.of(false, true));
    }

    @Test
    void aLateGrantBehindItsOwnReleaseIsTakenBack() {
        line(ACQUIRES_OVERTAKEN, 5);
        granted(claim);
        release(claim);
        later();
        assertThat(store.unfinishedReleases()).isEqualTo(1);
        node(5).deliver();
        assertThat(node(5).keeps(ID)).isFalse();
        assertThat(store.unfinishedReleases()).isZero();
    }

    @Test
    void aLateGrantToAVoteThatWasLostIsTakenBack() {
        granted(other);
        line(ACQUIRES_OVERTAKEN, 5);
        release(other);
        IntStream.of(1, 2, 3).forEach(number -> node(number).occupy(ID, TTL));
        acquire(claim);
        time.advance(NODE_TIMEOUT);
        assertThat(store.unfinishedReleases()).isEqualTo(1);
        node(5).deliver();
        assertThat(node(5).keeps(ID)).isFalse();
        assertThat(store.unfinishedReleases()).isZero();
    }

    @Test
    void aNodeThatNeverGrantedAnythingIsNotReleasedAgainAndAgain() {
        line(DOWN, 5);
        granted(claim);
        assertThat(release(claim)).isEqualTo(Release.of(true, true));
        assertThat(store.unfinishedReleases()).isZero();
    }

    @Test
    void aNodeThatRefusedTheLockIsNotReleasedAgainAndAgain() {
        node(5).occupy(ID, TTL);
        granted(claim);
        line(DOWN, 5);
        assertThat(release(claim)).isEqualTo(Release.of(true, true));
    }

    @Test
    void aSilentNodeIsNotFloodedWithReleases() {
        granted(claim);
        line(HELD, 5);
        int before = node(5).calls();
        release(claim);
        time.advance(Duration.ofSeconds(35));
        assertThat(node(5).calls() - before).isBetween(2, 5);
    }

    @Test
    void lostRepliesOfAMajorityLeaveTheReleaseOpenButItIsRepeated() {
        granted(claim);
        line(REPLIES_LOST, 1, 2, 3);
        CompletableFuture<Release> release = store.release(claim).toCompletableFuture();
        assertThat(failure(release)).hasMessageContaining("too few nodes confirmed the release");
        line(UP, 1, 2, 3);
        later();
        assertThat(store.unfinishedReleases()).isZero();
        assertThat(keepers()).isZero();
    }

    @Test
    void aLockThatAMajorityDoesNotHaveIsNotHeld() {
        granted(claim);
        IntStream.of(1, 2, 3).forEach(number -> node(number).restartEmpty());
        assertThat(release(claim).held()).isFalse();
        assertThat(keepers()).isZero();
    }

    @Test
    void moreReleasesThanCanBeRememberedAreSentOnce() {
        for (int i = 0; i < PendingReleases.CAPACITY + 10; i++) {
            Claim each = new Claim("lock " + i, "owner");
            line(UP, 1);
            assertThat(now(store.acquire(each, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
            line(DOWN, 1);
            assertThat(release(each).held()).isTrue();
        }
        assertThat(store.unfinishedReleases()).isEqualTo(PendingReleases.CAPACITY);
        assertThat(node(2).keeps("lock " + (PendingReleases.CAPACITY + 9))).isFalse();
    }

    /** A process stands still for longer than the lease, and takes many other locks before its release. */
    private void releasedAfterManyOthersOnceItsLeaseWasOver(Runnable afterThePause) {
        line(HELD, 5);
        granted(claim);
        time.pause(TTL);
        afterThePause.run();
        line(DOWN, 5);
        for (int i = 0; i < QuorumLockStore.ACQUIRES_BETWEEN_SWEEPS; i++) {
            Claim other = new Claim("lock " + i, "owner");
            store.acquire(other, TTL, Duration.ZERO);
            store.release(other);
        }
        release(claim);
        later();
    }

    @Test
    void aGrantThatComesAfterTheReleaseIsTakenBackAlthoughTheLeaseWasOver() {
        releasedAfterManyOthersOnceItsLeaseWasOver(() -> {});
        node(5).deliver();
        assertThat(node(5).keeps(ID)).isTrue();
        later();
        assertThat(node(5).keeps(ID)).isFalse();
    }

    @Test
    void aGrantThatComesBeforeTheReleaseIsTakenBackAlthoughTheLeaseWasOver() {
        releasedAfterManyOthersOnceItsLeaseWasOver(() -> node(5).deliver());
        assertThat(node(5).keeps(ID)).isTrue();
        line(UP, 5);
        later();
        assertThat(node(5).keeps(ID)).isFalse();
    }

    @Test
    void aRepetitionThatCannotBePlannedStopsNoLaterOne() {
        FailingScheduler timers = new FailingScheduler(time);
        QuorumLockStore failing = store(nodes, timers);
        assertThat(now(failing.acquire(claim, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
        line(DOWN, 4, 5);
        timers.failNext();
        assertThatThrownBy(() -> failing.release(claim)).isInstanceOf(InternalError.class);
        now(failing.acquire(new Claim("another lock", "owner"), TTL, Duration.ZERO));
        now(failing.release(new Claim("another lock", "owner")));
        line(UP, 4, 5);
        later();
        assertThat(failing.unfinishedReleases()).isZero();
    }
}
