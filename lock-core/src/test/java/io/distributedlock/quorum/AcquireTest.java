package io.distributedlock.quorum;

import static io.distributedlock.quorum.TestNode.Line.DOWN;
import static io.distributedlock.quorum.TestNode.Line.HELD;
import static io.distributedlock.quorum.TestNode.Line.REFUSING;
import static io.distributedlock.quorum.TestNode.Line.RELEASES_HELD;
import static io.distributedlock.quorum.TestNode.Line.REPLIES_LOST;
import static io.distributedlock.quorum.TestNode.Line.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AcquireTest extends QuorumTest {

    @Test
    void aMinorityThatIsDownStopsNoCaller() {
        line(DOWN, 1, 2);
        granted(claim);
        assertThat(acquire(other)).isInstanceOf(Refused.class);
        assertThat(extend(claim)).isTrue();
        assertThat(release(claim).held()).isTrue();
        granted(other);
    }

    @Test
    void withAMajorityDownNothingIsGrantedAndNothingStays() {
        line(DOWN, 1, 2, 3);
        StoreException failure = failure(store.acquire(claim, TTL, Duration.ZERO));
        assertThat(failure.effect()).isEqualTo(Effect.REFUSED);
        assertThat(failure)
                .hasMessageContaining("2 of 5 nodes granted the lock, 3 are needed")
                .hasMessageContaining("node-3: down");
        assertThat(keepers()).isZero();
        assertThat(store.unfinishedReleases()).isZero();
    }

    @Test
    void withAllDownNothingWasSent() {
        line(DOWN, 1, 2, 3, 4, 5);
        assertThat(failure(store.acquire(claim, TTL, Duration.ZERO)).effect()).isEqualTo(Effect.NOT_SENT);
    }

    @Test
    void nodesThatRefuseCommandsAreNoVotesButDefinite() {
        line(REFUSING, 1, 2, 3);
        assertThat(failure(store.acquire(claim, TTL, Duration.ZERO)).effect()).isEqualTo(Effect.REFUSED);
        assertThat(keepers()).isZero();
    }

    @Test
    void anUnknownOutcomeIsNoVoteAndIsTakenBack() {
        line(REPLIES_LOST, 1, 2, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        assertThat(failure(attempt).effect()).isEqualTo(Effect.UNKNOWN);
        line(UP, 1, 2, 3);
        later();
        assertThat(keepers()).isZero();
        assertThat(store.unfinishedReleases()).isZero();
        granted(other);
    }

    @Test
    void aGrantDoesNotWaitForSilentNodes() {
        line(HELD, 4, 5);
        granted(claim);
    }

    @Test
    void aRefusalDoesNotWaitForSilentNodes() {
        granted(claim);
        line(HELD, 4, 5);
        assertThat(acquire(other)).isInstanceOf(Refused.class);
    }

    @Test
    void aSilentMajorityIsUnknownAfterTheNodeTimeout() {
        line(HELD, 1, 2, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        time.advance(NODE_TIMEOUT.minusNanos(1));
        assertThat(attempt).isNotDone();
        time.advance(Duration.ofNanos(1));
        assertThat(failure(attempt).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure(attempt)).hasMessageContaining("no reply within 200 ms");
    }

    @Test
    void aShortLeaseWaitsForATenthOfItself() {
        line(HELD, 1, 2, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, Duration.ofMillis(500), Duration.ZERO).toCompletableFuture();
        time.advance(Duration.ofMillis(50));
        assertThat(attempt).isCompletedExceptionally();
    }

    @Test
    void silentNodesDecideNothingWhileOthersHoldTheLock() {
        node(1).occupy(ID, TTL);
        line(HELD, 4, 5);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        assertThat(attempt).isNotDone();
        time.advance(NODE_TIMEOUT);
        assertThat(now(attempt)).isInstanceOf(Refused.class);
    }

    @Test
    void whatANodeGrantsTooLateIsTakenBack() {
        line(HELD, 1, 2, 3);
        store.acquire(claim, TTL, Duration.ZERO);
        time.advance(NODE_TIMEOUT);
        nodes.forEach(TestNode::deliver);
        later();
        assertThat(keepers()).isZero();
        assertThat(store.unfinishedReleases()).isZero();
    }

    @Test
    void anAcquireThatIsExecutedBehindItsReleaseIsTakenBackToo() {
        line(HELD, 1, 2, 3);
        store.acquire(claim, TTL, Duration.ZERO);
        time.advance(NODE_TIMEOUT);
        node(1).deliverLast();
        assertThat(now(store.release(claim)).settled()).isFalse();
        nodes.forEach(TestNode::deliver);
        assertThat(keepers()).isZero();
        assertThat(now(store.release(claim)).settled()).isTrue();
    }

    @Test
    void aReleaseOfARefusedTryThatComesLateTakesNoVoteFromTheNextTry() {
        List.of(1, 2, 3).forEach(number -> node(number).occupy(ID, TTL));
        line(RELEASES_HELD, 4);
        assertThat(acquire(claim)).isInstanceOf(Refused.class);
        List.of(1, 2, 3).forEach(number -> node(number).vacate(ID));
        node(4).restartEmpty();
        granted(claim);
        assertThat(node(4).keeps(ID)).isTrue();
        node(4).deliver();
        assertThat(node(4).keeps(ID)).isTrue();
    }

    /** Two of the nodes execute the first try so late that the second one meets it there. */
    private void meetOwnEarlierTry() {
        line(DOWN, 4, 5);
        line(HELD, 1, 2);
        CompletableFuture<AcquireResult> first =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        time.advance(NODE_TIMEOUT);
        assertThat(failure(first).effect()).isEqualTo(Effect.UNKNOWN);
        node(1).deliverThenBreak();
        node(2).deliverThenBreak();
        line(UP, 1, 2);
    }

    @Test
    void anEarlierTryOfTheSameCallIsNoOtherOwner() {
        meetOwnEarlierTry();
        assertThat(failure(store.acquire(claim, TTL, Duration.ZERO)))
                .hasMessageContaining("2 may keep it for an earlier try of the same call")
                .satisfies(failure ->
                        assertThat(((StoreException) failure).effect()).isEqualTo(Effect.UNKNOWN));
        later();
        later();
        assertThat(keepers()).isZero();
        granted(claim);
    }

    @Test
    void othersThatHoldEnoughNodesRefuseBesideAnEarlierTryOfTheSameCall() {
        meetOwnEarlierTry();
        line(UP, 4, 5);
        IntStream.of(3, 4, 5).forEach(number -> node(number).occupy(ID, TTL));
        assertThat(acquire(claim)).isInstanceOf(Refused.class);
    }

    @Test
    void aGrantPromisesTheWholeLease() {
        Granted first = granted(claim);
        assertThat(first.remaining()).isEqualTo(TTL);
        assertThat(first.fresh()).isTrue();
    }

    @Test
    void repeatingAnAcquireConfirmsTheSameGrant() {
        Granted first = granted(claim);
        time.advance(Duration.ofSeconds(4));
        Granted again = granted(claim);
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.fresh()).isFalse();
        assertThat(again.remaining()).isEqualTo(TTL.minusSeconds(4));
    }

    @Test
    void nodesThatJoinARepeatedAcquireDoNotLengthenThePromise() {
        line(DOWN, 1, 2);
        granted(claim);
        line(UP, 1, 2);
        time.advance(Duration.ofSeconds(4));
        assertThat(granted(claim).remaining()).isEqualTo(TTL.minusSeconds(4));
    }

    /** Its caller may have heard of the grant meanwhile. */
    @Test
    void aRepeatedAcquireThatTooFewNodesAnswerTakesNothingBack() {
        granted(claim);
        node(1).restartEmpty();
        node(1).occupy(ID, TTL);
        line(HELD, 4, 5);
        CompletableFuture<AcquireResult> repeated =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        time.advance(NODE_TIMEOUT);
        assertThat(failure(repeated).effect()).isEqualTo(Effect.UNKNOWN);
        nodes.forEach(TestNode::deliver);
        assertThat(extend(claim)).isTrue();
    }

    @Test
    void repeatingAnAcquireThatIsUnderWayIsTheSameTry() {
        line(HELD, 1, 2, 3);
        CompletableFuture<AcquireResult> first =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        CompletableFuture<AcquireResult> second =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        nodes.forEach(TestNode::deliver);
        assertThat(now(first)).isEqualTo(now(second)).isInstanceOf(Granted.class);
        assertThat(release(claim).held()).isTrue();
        assertThat(keepers()).isZero();
    }

    @Test
    void votesThatTookTheLeaseAreNoGrant() {
        line(HELD, 1, 2, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        time.pause(TTL.minus(TTL.dividedBy(100)).minus(Duration.ofMillis(2)));
        nodes.forEach(TestNode::deliver);
        assertThat(failure(attempt)).hasMessageContaining("too much of a lease of 10000 ms");
        later();
        assertThat(keepers()).isZero();
    }

    @Test
    void votesThatLeaveALittleOfTheLeaseAreAGrant() {
        line(HELD, 1, 2, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        time.pause(TTL.minus(TTL.dividedBy(100)).minus(Duration.ofMillis(2)).minusNanos(1));
        nodes.forEach(TestNode::deliver);
        assertThat(now(attempt)).isInstanceOf(Granted.class);
    }

    @Test
    void aServerUnderTwoNamesHasOneVote() {
        TestNode twice = node(1);
        QuorumLockStore mistaken = new QuorumLockStore(
                List.of(
                        new QuorumNode("a", node(2)),
                        new QuorumNode("b", new Forwarding(twice)),
                        new QuorumNode("c", new Forwarding(twice))),
                NODE_TIMEOUT,
                time);
        assertThat(now(mistaken.acquire(claim, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
        mistaken.release(claim);
        node(2).line(DOWN);
        assertThat(failure(mistaken.acquire(claim, TTL, Duration.ZERO))).hasMessageContaining("under another name");
        assertThat(twice.keeps(ID)).isFalse();
    }

    @Test
    void aReleaseWhileTheVotesAreOutEndsTheTry() {
        line(HELD, 1, 2, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        store.release(claim);
        nodes.forEach(TestNode::deliver);
        assertThat(failure(attempt).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(keepers()).isZero();
    }

    @Test
    void noCallerQueuesAtTheNodes() {
        granted(claim);
        Refused refused = (Refused) now(store.acquire(other, TTL, Duration.ofMinutes(1)));
        assertThat(refused.queued()).isFalse();
        release(claim);
        assertThat(keepers()).isZero();
    }
}
