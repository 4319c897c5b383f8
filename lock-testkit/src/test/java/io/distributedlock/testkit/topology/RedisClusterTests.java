package io.distributedlock.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisClusterTests {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void bringEverybodyBack() {
        cluster.nodes().forEach(cluster::rejoin);
    }

    @Test
    void threeMastersShareTheSlotsAndEachHasAReplica() {
        assertThat(cluster.masters()).hasSize(3);
        assertThat(cluster.masters().stream().map(cluster::replicaOf).distinct())
                .hasSize(3)
                .doesNotContainAnyElementsOf(cluster.masters());
        assertThat(cluster.masterOf("a")).isNotSameAs(cluster.masterOf("b"));
    }

    @Test
    void aMasterServesItsOwnKeysOnly() {
        assertThat(cluster.masterOf("a").command("SET", "a", "1")).isEqualTo("OK");
        assertThatThrownBy(() -> cluster.masterOf("b").command("SET", "a", "1")).hasMessageStartingWith("MOVED");
    }

    @Test
    void theReplicaOfAKilledMasterTakesOverWithItsData() {
        RedisServer former = cluster.masterOf("k");
        RedisServer replica = cluster.replicaOf(former);
        former.command("SET", "k", "v");
        former.command("WAIT", "1", "20000");

        former.kill();

        assertThat(cluster.awaitFailover("k", former)).isSameAs(replica);
        assertThat(replica.command("GET", "k")).isEqualTo("v");
        cluster.rejoin(former);
        assertThat(cluster.replicaOf(replica)).isSameAs(former);
    }

    @Test
    void theReplicaOfAPausedMasterTakesOver() {
        RedisServer former = cluster.masterOf("k");
        former.pause();
        assertThat(cluster.awaitFailover("k", former).command("SET", "k", "v")).isEqualTo("OK");
    }

    /**
     * Redis lets that replica take over with its old votes, which the other nodes undo at once; it is the node that is
     * asked who the master is.
     */
    @Test
    void aMasterIsChangedThoughItsReplicaWasElectedAMomentAgo() {
        RedisServer witness = cluster.nodes().get(0);
        if (cluster.masterOf("b") == witness) {
            takeOverWithoutVotes("b");
        }
        RedisServer other = cluster.masterOf("b");
        assertThat(cluster.changeMaster("b")).isSameAs(witness);
        cluster.rejoin(other);
        takeOverWithoutVotes("b");

        assertThat(cluster.changeMaster("b")).isSameAs(witness);
        assertThat(witness.command("SET", "b", "v")).isEqualTo("OK");
    }

    private static void takeOverWithoutVotes(String key) {
        RedisServer former = cluster.masterOf(key);
        cluster.replicaOf(former).command("CLUSTER", "FAILOVER", "TAKEOVER");
        cluster.awaitFailover(key, former);
        cluster.rejoin(former);
    }

    /** A machine that is busy lets a node seem to have failed that then runs again. */
    @Test
    void aNodeThatWasTakenForFailedIsTrustedBeforeNoNodeIsTakenForFailedAnyMore() {
        RedisServer master = cluster.masterOf("k");
        cluster.replicaOf(master).kill();
        master.pause();
        await().until(() -> cluster.masters().size() == 2);
        master.resume();
        cluster.trustNodes(Duration.ofMinutes(2));
        assertThat(cluster.nodes().stream().filter(RedisServer::isRunning)).allMatch(ClusterFormation::isComplete);
        cluster.usualNodeTimeout();
    }

    /** It refuses commands for some time after it hears the others again, though no node is taken for failed then. */
    @Test
    void aMasterThatTookTheOthersForFailedServesItsSlotsOnceNodesAreTrusted() {
        RedisServer master = cluster.masterOf("k");
        List<RedisServer> others =
                cluster.masters().stream().filter(each -> each != master).toList();
        others.forEach(RedisServer::pause);
        await().until(() -> !ClusterFormation.isComplete(master));
        others.forEach(RedisServer::resume);
        cluster.trustNodes(Duration.ofMinutes(2));
        assertThat(master.command("SET", "k", "v")).isEqualTo("OK");
        cluster.usualNodeTimeout();
    }

    @Test
    void aSlotOnItsWayMakesItsSourceAskAndAfterwardsSayMoved() {
        RedisServer source = cluster.masterOf("{s}1");
        RedisServer target = other(source);
        source.command("MSET", "{s}1", "v", "{s}2", "v");

        SlotMove move = cluster.move("{s}1", target);
        move.moveKeys(List.of("{s}1"));
        assertThat(source.command("GET", "{s}2")).isEqualTo("v");
        assertThatThrownBy(() -> source.command("GET", "{s}1")).hasMessageStartingWith("ASK");
        assertThatThrownBy(() -> source.command("MGET", "{s}1", "{s}2")).hasMessageStartingWith("TRYAGAIN");

        move.finish();
        assertThatThrownBy(() -> source.command("GET", "{s}1")).hasMessageStartingWith("MOVED");
        assertThat(target.command("MGET", "{s}1", "{s}2")).isEqualTo(List.of("v", "v"));
        assertThat(cluster.masterOf("{s}1")).isSameAs(target);
    }

    private static RedisServer other(RedisServer master) {
        return cluster.masters().stream()
                .filter(each -> each != master)
                .findFirst()
                .orElseThrow();
    }
}
