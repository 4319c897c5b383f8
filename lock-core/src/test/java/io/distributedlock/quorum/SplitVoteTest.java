package io.distributedlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitVoteTest extends QuorumTest {

    private static final Duration ROUND = Duration.ofMillis(4);

    @Test
    void whoHeldSomeNodesComesBackSoonAlthoughTheLeasesOfTheOthersAreLong() {
        IntStream.of(1, 2, 3).forEach(number -> node(number).occupy(ID, TTL));
        Refused refused = (Refused) acquire(claim);
        assertThat(refused.retryAfter()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(2));
        assertThat(node(4).keeps(ID)).isFalse();
        assertThat(node(5).keeps(ID)).isFalse();
    }

    @Test
    void whoHeldNothingIsToldWhenTheLeasesEnd() {
        granted(other);
        assertThat(((Refused) acquire(claim)).retryAfter()).isEqualTo(TTL);
    }

    @Test
    void theWindowGrowsUpToALimitAndIsForgottenAfterAGrant() {
        SplitBackoff votes = new SplitBackoff();
        for (int i = 0; i < 20; i++) {
            Duration window = ROUND.multipliedBy(2L << Math.min(i, 10));
            assertThat(votes.next(claim, ROUND))
                    .isPositive()
                    .isLessThanOrEqualTo(window)
                    .isLessThanOrEqualTo(Duration.ofMillis(500));
        }
        votes.forget(claim);
        assertThat(votes.next(claim, ROUND)).isLessThanOrEqualTo(ROUND.multipliedBy(2));
    }

    @Test
    void aClaimThatTriesOnceIsNotRemembered() {
        IntStream.of(1, 2, 3).forEach(number -> node(number).occupy(ID, TTL));
        for (int i = 0; i < 20; i++) {
            assertThat(((Refused) acquire(claim)).retryAfter()).isLessThanOrEqualTo(Duration.ofMillis(2));
        }
    }

    @Test
    void aClaimThatStopsWaitingIsForgotten() {
        IntStream.of(1, 2, 3).forEach(number -> node(number).occupy(ID, TTL));
        for (int i = 0; i < 20; i++) {
            now(store.acquire(claim, TTL, TTL));
        }
        now(store.release(claim));
        assertThat(((Refused) acquire(claim)).retryAfter()).isLessThanOrEqualTo(Duration.ofMillis(2));
    }

    @Test
    void aClaimThatIsReleasedDuringItsVoteIsForgotten() {
        IntStream.of(1, 2, 3).forEach(number -> node(number).occupy(ID, TTL));
        for (int i = 0; i < 100; i++) {
            Claim leaving = new Claim(ID, "leaving " + i);
            line(TestNode.Line.ACQUIRES_OVERTAKEN, 1, 2, 3, 4, 5);
            store.acquire(leaving, TTL, TTL);
            store.release(leaving);
            IntStream.of(4, 5, 1, 2, 3).forEach(number -> node(number).deliver());
            assertThat(((Refused) acquire(leaving)).retryAfter()).isLessThanOrEqualTo(Duration.ofMillis(2));
        }
    }

    @Test
    void twoClaimsRarelyComeBackTogether() {
        SplitBackoff votes = new SplitBackoff();
        List<Duration> distances = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Duration one = votes.next(claim, ROUND);
            distances.add(one.minus(votes.next(other, ROUND)).abs());
        }
        assertThat(distances).anyMatch(distance -> distance.compareTo(ROUND) > 0);
    }

    @Test
    void veryManyClaimsAreNotAllRemembered() {
        SplitBackoff votes = new SplitBackoff();
        votes.next(claim, ROUND);
        for (int i = 0; i < 10_000; i++) {
            votes.next(new Claim("other " + i, "owner"), ROUND);
        }
        assertThat(votes.next(claim, ROUND)).isLessThanOrEqualTo(ROUND.multipliedBy(2));
    }
}
