package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** F24: the nodes of a Cluster do not reach each other any more, and clients still reach those on both sides. */
class ClusterSplitTest extends TopologyTest {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.startDivisible();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private LockClient client() {
        List<RedisURI> nodes = cluster.uris().stream().map(RedisURI::create).toList();
        return client(RedisClientSource.ofCluster(nodes), TTL.dividedBy(2));
    }

    @Test
    void aHolderOnTheOldSideOfASplitIsToldWhenTheSplitEnds() {
        LockHandle old = take(client());
        RedisServer former = cluster.masterOf(KEY);
        assertThat(former.command("WAIT", "1", "30000")).isEqualTo(1L);
        cluster.isolate(former);
        RedisServer master = cluster.awaitFailover(KEY, former);
        master.command("DEL", KEY);
        LockHandle next = take(client());
        assertThat(old.isHeld())
                .as("both sides believe: Redis can't prevent it")
                .isTrue();
        assertThat(pttl(master)).isPositive();
        assertThat(next.fencingToken()).isGreaterThan(old.fencingToken());
        assertThatThrownBy(() -> former.command("GET", KEY))
                .as("the old side serves no caller after a node timeout")
                .hasMessageContaining("CLUSTERDOWN");
        cluster.heal(former);
        assertThat(FaultTest.awaitLoss(old)).isEqualTo(LossReason.NOT_OWNER);
        assertThat(FaultTest.extend(next)).isTrue();
        next.release();
        awaitFreeAt(master);
    }
}
