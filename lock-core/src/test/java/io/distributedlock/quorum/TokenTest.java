package io.distributedlock.quorum;

import static io.distributedlock.quorum.TestNode.Line.DOWN;
import static io.distributedlock.quorum.TestNode.Line.HELD;
import static io.distributedlock.quorum.TestNode.Line.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TokenTest extends QuorumTest {

    @Test
    void tokensGrowAlthoughOneNodeWasFarAheadAndIsGone() {
        node(1).raiseFence(1_000_000);
        line(DOWN, 4, 5);
        long first = granted(claim).token();
        assertThat(first).isGreaterThan(1_000_000);
        release(claim);
        line(UP, 4, 5);
        line(DOWN, 1, 2);
        assertThat(granted(other).token()).isGreaterThan(first);
    }

    /** A limit: the node in common forgets the token, and no clock is past it. */
    @Test
    void tokensAreLowerAfterANodeHasLostItsDataIfAnotherOneIsFarAhead() {
        node(1).raiseFence(1_000_000);
        line(DOWN, 4, 5);
        long first = granted(claim).token();
        release(claim);
        node(3).restartEmpty();
        line(UP, 4, 5);
        line(DOWN, 1, 2);
        assertThat(granted(other).token()).isLessThan(first);
    }

    @Test
    void tokensGrowWhicheverNodesGrant() {
        Random dice = new Random(7);
        long last = 0;
        for (int i = 0; i < 500; i++) {
            nodes.forEach(node -> node.line(UP));
            int first = dice.nextInt(5);
            nodes.get(first).line(DOWN);
            nodes.get((first + 1 + dice.nextInt(4)) % 5).line(DOWN);
            nodes.get(dice.nextInt(5)).raiseFence(last + dice.nextInt(50));
            long token = granted(claim).token();
            assertThat(token).isGreaterThan(last);
            last = token;
            release(claim);
        }
    }

    /** The claim's caller may not have heard of its grant, and asks again. Others may have held the lock since its lease ran out. */
    @Test
    void aRepetitionAfterTheLeaseHasRunOutIsNotGrantedTheOldToken() {
        long first = granted(claim).token();
        time.pause(TTL.plusSeconds(1));
        long second = granted(other).token();
        assertThat(second).isGreaterThan(first);
        release(other);
        CompletableFuture<AcquireResult> repeated =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        assertThat(failure(repeated).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(keepers()).isZero();
        assertThat(granted(claim).token()).isGreaterThan(second);
    }

    @Test
    void aLockWhoseTokenIsNotKnownToEnoughNodesIsNotGranted() {
        line(DOWN, 4, 5);
        line(HELD, 3);
        CompletableFuture<AcquireResult> attempt =
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture();
        node(3).deliverThenBreak();
        assertThat(failure(attempt)).hasMessageContaining("until its token was known to enough");
        assertThat(node(1).keeps(ID)).isFalse();
        assertThat(node(2).keeps(ID)).isFalse();
    }
}
