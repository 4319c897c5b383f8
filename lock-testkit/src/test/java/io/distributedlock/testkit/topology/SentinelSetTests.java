package io.distributedlock.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SentinelSetTests {
    private static SentinelSet set;

    @BeforeAll
    static void start() {
        set = SentinelSet.start();
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    @BeforeEach
    void bringEverybodyBack() {
        set.rejoinAll();
    }

    @Test
    void whatTheMasterWritesReachesItsReplicasWhichRefuseWrites() {
        set.master().command("SET", "k", "v");
        assertThat(set.master().command("WAIT", "2", "20000")).isEqualTo(2L);
        assertThat(set.replicas()).hasSize(2).allSatisfy(replica -> {
            assertThat(replica.command("GET", "k")).isEqualTo("v");
            assertThatThrownBy(() -> replica.command("SET", "k", "w")).hasMessageStartingWith("READONLY");
        });
    }

    @Test
    void aReplicaIsPromotedWhenTheMasterIsKilledAndTheOldOneComesBackAsReplica() {
        RedisServer former = set.master();
        former.command("SET", "kept", "v");
        former.command("WAIT", "2", "20000");

        former.kill();
        RedisServer master = set.awaitPromotion(former);

        assertThat(master).isNotSameAs(former);
        assertThat(master.command("GET", "kept")).isEqualTo("v");
        assertThat(master.command("SET", "new", "v")).isEqualTo("OK");
        set.rejoin(former);
        assertThat(former.command("GET", "new")).isEqualTo("v");
    }

    @Test
    void aReplicaIsPromotedWhileTheMasterIsPaused() {
        RedisServer former = set.master();
        former.pause();
        assertThat(set.awaitPromotion(former).command("SET", "k", "v")).isEqualTo("OK");
    }

    @Test
    void anIsolatedMasterGoesOnForItsClientsUntilItIsHealed() {
        RedisServer former = set.master();
        set.isolate(former);
        RedisServer master = set.awaitPromotion(former);
        assertThat(former.command("SET", "side", "old")).isEqualTo("OK");
        assertThat(master.command("SET", "side", "new")).isEqualTo("OK");
        set.heal(former);
        Polling.until(
                Duration.ofSeconds(30), "the old side to follow", () -> "new".equals(former.command("GET", "side")));
    }

    @Test
    void theSentinelsChangeTheMasterOnRequest() {
        RedisServer former = set.master();
        assertThat(set.failover()).isNotSameAs(former);
        assertThat(former.isRunning()).isTrue();
    }

    @Test
    void theMasterChangesAfterAnAttemptThatTheSentinelAborted() {
        RedisServer former = set.master();
        set.replicas().forEach(replica -> permit(replica, "-"));
        CompletableFuture<RedisServer> change = CompletableFuture.supplyAsync(set::failover);
        Polling.until(
                Duration.ofSeconds(60),
                "an attempt to be aborted",
                () -> set.sentinels().get(0).logTail().contains("-failover-abort-slave-timeout"));
        set.nodes().forEach(node -> permit(node, "+"));
        assertThat(change.join()).isNotSameAs(former);
    }

    private static void permit(RedisServer node, String sign) {
        node.command("ACL", "SETUSER", "insider", sign + "slaveof", sign + "replicaof");
    }

    @Test
    void aSentinelThatRestartsLooksAsOftenAsTheOthers() {
        RedisServer restarted = set.sentinels().get(1);
        set.restart(restarted);
        assertThat(periods(restarted)).isEqualTo(periods(set.sentinels().get(0)));
    }

    private static String periods(RedisServer sentinel) {
        try {
            return String.valueOf(sentinel.command("SENTINEL", "DEBUG"));
        } catch (RespError old) {
            return "those of a server older than version 7";
        }
    }

    @Test
    void theAddressNamesTheSentinelsAndTheMaster() {
        assertThat(set.uri())
                .startsWith("redis-sentinel://:of-clients@127.0.0.1:")
                .endsWith("#" + SentinelSet.MASTER_NAME);
        assertThat(set.sentinels()).allSatisfy(sentinel -> assertThat(set.uri()).contains(":" + sentinel.port()));
    }

    @Test
    void allProcessesEndWithTheSet() {
        List<RedisServer> all = new ArrayList<>();
        try (SentinelSet other = SentinelSet.start()) {
            all.addAll(other.nodes());
            all.addAll(other.sentinels());
            all.get(0).pause();
        }
        assertThat(all).hasSize(6).noneMatch(RedisServer::isAlive);
    }
}
