package io.distributedlock.quorum;

import static io.distributedlock.quorum.TestNode.Line.DOWN;
import static io.distributedlock.quorum.TestNode.Line.HELD;
import static io.distributedlock.quorum.TestNode.Line.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExtendTest extends QuorumTest {

    @Test
    void aLeaseIsExtendedAtAllNodes() {
        granted(claim);
        time.advance(TTL.dividedBy(2));
        assertThat(extend(claim)).isTrue();
        time.advance(TTL.minusMillis(1));
        assertThat(keepers()).isEqualTo(5);
    }

    @Test
    void withAMajorityDownNothingIsSaidOfTheLock() {
        granted(claim);
        line(DOWN, 1, 2, 3);
        assertThat(failure(store.extend(claim, 1, TTL))).hasMessageContaining("too few nodes confirmed the extension");
        line(UP, 1, 2, 3);
        assertThat(extend(claim)).isTrue();
    }

    @Test
    void answersThatComeLateAreDelivered() {
        granted(claim);
        line(HELD, 1, 2, 3);
        CompletableFuture<Duration> late = store.extend(claim, 1, TTL).toCompletableFuture();
        time.advance(TTL.dividedBy(2));
        assertThat(late).isNotDone();
        nodes.forEach(TestNode::deliver);
        assertThat(now(late)).isEqualTo(TTL);
    }

    @Test
    void aMinorityThatLostItsDataIsGivenTheLockAgain() {
        granted(claim);
        node(1).restartEmpty();
        node(2).restartEmpty();
        assertThat(extend(claim)).isTrue();
        assertThat(keepers()).isEqualTo(5);
        node(3).restartEmpty();
        node(4).restartEmpty();
        assertThat(extend(claim)).as("with the repaired nodes").isTrue();
        assertThat(release(claim).held()).isTrue();
        assertThat(keepers()).isZero();
    }

    @Test
    void aRepairedNodeKnowsTheToken() {
        long token = granted(claim).token();
        node(1).restartEmpty();
        long ahead = token + 1_000;
        assertThat(now(store.extend(claim, ahead, TTL))).isPositive();
        release(claim);
        line(DOWN, 4, 5);
        assertThat(granted(other).token()).isGreaterThan(ahead);
    }

    @Test
    void aNodeThatAnotherOwnerHoldsIsLeftToThem() {
        line(DOWN, 1);
        granted(claim);
        line(UP, 1);
        node(1).occupy(ID, TTL.multipliedBy(2));
        assertThat(extend(claim)).isTrue();
        assertThat(release(claim).held()).isTrue();
        assertThat(node(1).keeps(ID)).isTrue();
    }

    @Test
    void aMajorityThatLostItsDataHasLostTheLockAndNothingStays() {
        granted(claim);
        IntStream.of(1, 2, 3).forEach(number -> node(number).restartEmpty());
        assertThat(extend(claim)).isFalse();
        assertThat(keepers()).isZero();
        assertThat(extend(claim)).isFalse();
        granted(other);
    }

    @Test
    void nothingIsRepairedWithoutAMajority() {
        granted(claim);
        IntStream.of(1, 2).forEach(number -> node(number).restartEmpty());
        line(DOWN, 5);
        assertThat(failure(store.extend(claim, 1, TTL)).effect()).isNotEqualTo(Effect.UNKNOWN);
        assertThat(node(1).keeps(ID)).isFalse();
    }

    @Test
    void theLeaseLastsForAsLongAsAMajorityKeepsIt() {
        granted(claim);
        time.advance(Duration.ofSeconds(5));
        line(DOWN, 1, 2, 3);
        assertThat(failure(store.extend(claim, 1, TTL))).hasMessageContaining("too few nodes");
        line(UP, 1, 2, 3);
        assertThat(now(store.extend(claim, 1, Duration.ofMillis(1)))).isEqualTo(TTL.minusSeconds(5));
    }

    @Test
    void merelyAskingRepairsNothing() {
        granted(claim);
        node(1).restartEmpty();
        assertThat(now(store.extend(claim, 1, Duration.ofMillis(1)))).isPositive();
        assertThat(node(1).keeps(ID)).isFalse();
    }

    @Test
    void anUnknownClaimHoldsNothing() {
        assertThat(extend(claim)).isFalse();
        assertThat(node(1).calls()).isZero();
    }
}
