package io.distributedlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.quorum.TestNode.Line;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who holds a lock is what a majority says. */
class FindTest extends QuorumTest {

    private static final String STRANGER = "another client";

    private Optional<StoredLock> find() {
        return now(store.find(ID));
    }

    private void occupy(Duration ttl, int... numbers) {
        for (int number : numbers) {
            node(number).occupy(ID, ttl);
        }
    }

    @Test
    void aLockIsFoundUnderTheOwnerOfItsClaim() {
        granted(claim);
        StoredLock found = find().orElseThrow();
        assertThat(found.owners()).containsExactly(claim.owner());
        assertThat(found.remaining()).isPositive().isLessThanOrEqualTo(TTL);
    }

    @Test
    void aLockIsFoundThoughAMinorityIsSilent() {
        granted(claim);
        line(Line.DOWN, 1);
        line(Line.REFUSING, 2);
        assertThat(find().orElseThrow().owners()).containsExactly(claim.owner());
    }

    @Test
    void aLockThatNoCallerHoldsIsFree() {
        line(Line.DOWN, 4, 5);
        assertThat(find()).isEmpty();
    }

    @Test
    void whatAMinorityKeepsIsNoLock() {
        occupy(TTL, 1, 2);
        assertThat(find()).isEmpty();
    }

    @Test
    void whileTheSilentNodesCouldDecideNoCallerCanTell() {
        occupy(TTL, 1, 2);
        line(Line.DOWN, 3);
        assertThat(failure(store.find(ID)).effect()).isEqualTo(Effect.REFUSED);
        line(Line.DOWN, 4, 5, 1, 2);
        assertThat(failure(store.find(ID)).effect()).isEqualTo(Effect.NOT_SENT);
    }

    @Test
    void nodesThatSayNothingAreNotWaitedForLongerThanTheNodeTimeout() {
        occupy(TTL, 1, 2);
        line(Line.HELD, 3);
        var found = store.find(ID).toCompletableFuture();
        assertThat(found).isNotDone();
        time.advance(NODE_TIMEOUT);
        assertThat(failure(found)).hasMessageContaining("too few nodes");
    }

    @Test
    void aLockEndsWhenTooFewNodesKeepIt() {
        occupy(Duration.ofSeconds(1), 1);
        occupy(Duration.ofSeconds(2), 2);
        occupy(Duration.ofSeconds(3), 3);
        assertThat(find().orElseThrow().remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void theClaimOfAnotherProcessCanBeReleasedByForceOnceItWasFound() {
        occupy(TTL, 1, 2, 3);
        Claim stranger = new Claim(ID, STRANGER);
        assertThat(find().orElseThrow().owners()).isEqualTo(List.of(STRANGER));
        assertThat(release(stranger).held()).as("not one of this process").isFalse();
        assertThat(now(store.forceRelease(stranger)).held()).isTrue();
        assertThat(keepers()).isZero();
        assertThat(find()).isEmpty();
    }

    @Test
    void theClientOfAClaimThatAnotherOneReleasesByForceIsNotified() {
        List<String> released = new ArrayList<>();
        store.onForceReleased(
                test -> Stream.of(claim.owner(), "first").filter(test).forEach(released::add));
        granted(claim);
        granted(new Claim("another lock", "first"));
        QuorumLockStore operator = store(nodes);
        StoredLock found = now(operator.find(ID)).orElseThrow();
        assertThat(now(operator.forceRelease(new Claim(ID, found.owners().get(0))))
                        .held())
                .isTrue();
        assertThat(released).isNotEmpty().containsOnly(claim.owner());
    }
}
