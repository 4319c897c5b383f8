package io.distributedlock.quorum;

import static io.distributedlock.quorum.TestNode.Line.DOWN;
import static io.distributedlock.quorum.TestNode.Line.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NodesTest extends QuorumTest {

    @Test
    void anEvenNumberIsRefusedWithAdvice() {
        assertThatThrownBy(() -> store(nodes.subList(0, 4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there are 4")
                .hasMessageContaining("remove one or add one");
    }

    @Test
    void fewerThanThreeAreRefusedWithAdvice() {
        assertThatThrownBy(() -> store(nodes.subList(0, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 3 nodes, but there are 1")
                .hasMessageContaining("use one Redis, or Sentinel, instead");
    }

    @Test
    void aNodeThatIsThereTwiceIsRefusedByNameAndByStore() {
        QuorumNode a = new QuorumNode("a", node(1));
        QuorumNode b = new QuorumNode("b", node(2));
        assertThatThrownBy(() -> new QuorumLockStore(List.of(a, b, new QuorumNode("a", node(3))), NODE_TIMEOUT))
                .hasMessageContaining("'a' is there twice");
        assertThatThrownBy(() -> new QuorumLockStore(List.of(a, b, new QuorumNode("c", node(2))), NODE_TIMEOUT))
                .hasMessageContaining("'c' is there twice");
    }

    @Test
    void aNodeNeedsANameAndTheTimeoutSomeTime() {
        assertThatThrownBy(() -> new QuorumNode(" ", new InMemoryLockStore())).hasMessageContaining("name");
        List<QuorumNode> three =
                List.of(new QuorumNode("a", node(1)), new QuorumNode("b", node(2)), new QuorumNode("c", node(3)));
        assertThatThrownBy(() -> new QuorumLockStore(three, Duration.ZERO)).hasMessageContaining("has to be positive");
    }

    @Test
    void theQuorumIsReadyWithAMajority() {
        line(DOWN, 1, 2);
        assertThat(store.ready()).isCompleted();
        line(DOWN, 3);
        assertThat(failure(store.ready()).effect()).isEqualTo(Effect.NOT_SENT);
        assertThat(failure(store.ready())).hasMessageContaining("too few nodes can be reached");
        line(UP, 3);
        assertThat(store.ready()).isCompleted();
    }

    @Test
    void whichNodesAnswerIsKnownOnceAllHaveOrHadTheirTime() {
        line(DOWN, 1);
        assertThat(now(store.nodes()).silent()).containsOnlyKeys("node-1");
        assertThat(now(store.nodes()).areEnough()).isTrue();
        line(DOWN, 2, 3);
        assertThat(now(store.nodes()).answering()).isEqualTo(2);
        assertThat(now(store.nodes()).areEnough()).isFalse();
    }

    @Test
    void aNodeThatRefusesToRenewIsNotAmongThoseThatLocksCanBeKeptAt() {
        node(1).reportProblem("Redis refuses to renew locks");
        node(2).reportProblem("Redis refuses to renew locks");
        assertThat(now(store.nodes()).silent())
                .containsOnlyKeys("node-1", "node-2")
                .allSatisfy((name, reason) -> assertThat(reason).contains("refuses to renew"));
        assertThat(now(store.nodes()).areEnough()).isTrue();
        node(3).reportProblem("Redis refuses to renew locks");
        assertThat(now(store.nodes()).areEnough()).isFalse();
    }

    @Test
    void eachNodeIsDescribed() {
        assertThat(store.description()).hasSize(5).containsEntry("node-1", "server: memory");
    }

    @Test
    void theReturnOfAnyNodeIsToldBecauseItMayHaveLostItsData() {
        AtomicInteger told = new AtomicInteger();
        store.onReachable(told::incrementAndGet);
        node(2).reconnect();
        node(4).reconnect();
        assertThat(told).hasValue(2);
    }
}
