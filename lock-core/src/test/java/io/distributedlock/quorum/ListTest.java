package io.distributedlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.quorum.TestNode.Line;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockListing.Page;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A list of all locks says what a majority says, as long as the locks of each node fit on a page. */
class ListTest extends QuorumTest {

    private static final int LIMIT = 10;

    private Page list() {
        return now(store.list(null, LIMIT));
    }

    private static List<String> owners(Page page) {
        return page.locks().stream()
                .flatMap(lock -> lock.lock().owners().stream())
                .toList();
    }

    @Test
    void aLockThatOneNodeLacksIsListed() {
        granted(claim);
        node(1).restartEmpty();
        Page page = list();
        assertThat(owners(page)).containsExactly(claim.owner());
        assertThat(page.source()).isNull();
    }

    @Test
    void whatAMinorityKeepsIsNotListed() {
        node(1).occupy(ID, TTL);
        node(2).occupy(ID, TTL);
        assertThat(list().locks()).isEmpty();
    }

    @Test
    void aFormerOwnerOfWhomOneNodeKnowsIsNotTheHolder() {
        node(1).occupy(ID, TTL);
        granted(claim);
        assertThat(owners(list())).containsExactly(claim.owner());
    }

    @Test
    void aLockEndsWhenTooFewNodesKeepIt() {
        for (int number = 1; number <= 3; number++) {
            node(number).occupy(ID, Duration.ofSeconds(number));
        }
        assertThat(list().locks().get(0).lock().remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void silentNodesAreNamedAndWaitedForNoLongerThanTheNodeTimeout() {
        granted(claim);
        line(Line.DOWN, 1);
        line(Line.HELD, 2);
        var page = store.list(null, LIMIT).toCompletableFuture();
        assertThat(page).isNotDone();
        time.advance(NODE_TIMEOUT);
        assertThat(owners(now(page))).containsExactly(claim.owner());
        assertThat(now(page).source()).startsWith("3 of 5 nodes").contains("node-1", "node-2");
    }

    @Test
    void whatSilentNodesCouldDecideIsListed() {
        node(1).occupy(ID, TTL);
        line(Line.DOWN, 4, 5);
        assertThat(list().locks()).hasSize(1);
        line(Line.UP, 4);
        line(Line.DOWN, 1, 2, 3, 4, 5);
        assertThat(failure(store.list(null, LIMIT)).effect()).isEqualTo(Effect.NOT_SENT);
    }

    @Test
    void moreLocksThanAPageHasAreThoseOfANodeThatHasThem() {
        Set<String> held = new HashSet<>();
        for (int i = 0; i < 2 * LIMIT; i++) {
            granted(new Claim("lock-" + i, "first"));
            held.add("lock-" + i);
        }
        node(1).restartEmpty();
        Page page = list();
        assertThat(page.source()).startsWith("node-2, one of 5 nodes");
        Set<String> found = new HashSet<>();
        while (true) {
            page.locks().stream().map(ListedLock::id).forEach(found::add);
            if (page.next() == null) {
                break;
            }
            page = now(store.list(page.next(), LIMIT));
        }
        assertThat(found).isEqualTo(held);
    }
}
