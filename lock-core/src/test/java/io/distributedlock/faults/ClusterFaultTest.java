package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.RedisCluster;
import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.SlotMove;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** F26 to F28: slots move, and masters fail over, under locks that are held, wanted and waited for. */
class ClusterFaultTest extends TopologyTest {

    /** Longer than any test: nobody is taken for failed. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final Pattern NODES_CALLS = Pattern.compile("cmdstat_cluster(?:\\|nodes)?:calls=(\\d+)");
    private static final Pattern CONNECTIONS = Pattern.compile("total_connections_received:(\\d+)");

    private static RedisCluster cluster;

    private LockClient client;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void connect() {
        cluster.usualNodeTimeout();
        cluster.nodes().forEach(cluster::rejoin);
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
        client = client();
    }

    private LockClient client() {
        List<RedisURI> nodes = cluster.uris().stream().map(RedisURI::create).toList();
        return client(RedisClientSource.ofCluster(nodes), TTL);
    }

    /** Once there is a new master, it stays: on a busy machine it might be taken for failed as well. */
    private static RedisServer awaitFailover(RedisServer former) {
        RedisServer master = cluster.awaitFailover(KEY, former);
        cluster.nodeTimeout(LONG);
        return master;
    }

    private static RedisServer other(RedisServer master) {
        return cluster.masters().stream()
                .filter(each -> each != master)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLockThatWasReplicatedSurvivesTheDeathOfItsMaster() {
        LockHandle lock = take(client);
        RedisServer former = cluster.masterOf(KEY);
        assertThat(former.command("WAIT", "1", "30000")).isEqualTo(1L);
        former.kill();
        RedisServer master = awaitFailover(former);
        awaitRenewalAt(master);
        assertThat(lock.isHeld()).isTrue();
        assertThat(client().tryAcquire(FaultTest.once("42"))).isEmpty();
        lock.release();
        awaitFreeAt(master);
        try (LockHandle next = take(client)) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    /** A few tenths of a second; the limit is one that a busy machine keeps. */
    @Test
    void locksAreGrantedSoonAfterTheNewMasterAcceptsWrites() {
        take(client).release();
        RedisServer former = cluster.masterOf(KEY);
        RedisServer replica = cluster.replicaOf(former);
        former.kill();
        assertThat(delayOfFirstGrant(client, List.of(replica))).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void theHolderOfALockThatWasNotReplicatedIsToldAndTheNextTokenIsHigher() {
        RedisServer former = cluster.masterOf(KEY);
        RedisServer replica = cluster.replicaOf(former);
        replica.pause();
        former.command("CLIENT", "KILL", "TYPE", "replica");
        LockHandle lock = take(client);
        former.kill();
        replica.resume();
        awaitFailover(former);
        try (LockHandle next = take(client())) {
            assertThat(FaultTest.awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void aMasterThatHangsIsLeftForItsReplica() {
        take(client).release();
        RedisServer former = cluster.masterOf(KEY);
        former.pause();
        RedisServer master = awaitFailover(former);
        LockHandle lock = take(client);
        awaitHeldAt(master);
        lock.release();
        awaitFreeAt(master);
    }

    /** They are asked on the connections that are there, so that the driver need not try the dead one, and say so, again and again. */
    @Test
    void whileAMasterIsDeadTheOthersAreAskedOnOneConnectionUntilSomebodyHasTakenItsPlace() {
        take(client).release();
        RedisServer former = cluster.masterOf(KEY);
        RedisServer replica = cluster.replicaOf(former);
        List<RedisServer> others =
                cluster.masters().stream().filter(each -> each != former).toList();
        cluster.nodeTimeout(LONG);
        former.kill();
        long asked = sum(others, NODES_CALLS);
        long connections = sum(others, CONNECTIONS);
        await().atMost(60, TimeUnit.SECONDS).until(() -> sum(others, NODES_CALLS) >= asked + 20);
        assertThat(sum(others, CONNECTIONS) - connections).isLessThan(15);
        replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
        LockHandle lock = take(client);
        awaitHeldAt(replica);
        lock.release();
    }

    @Test
    void whenTheMasterChangesOnRequestTheLockStays() {
        LockHandle lock = take(client);
        RedisServer former = cluster.masterOf(KEY);
        cluster.replicaOf(former).command("CLUSTER", "FAILOVER");
        RedisServer master = awaitFailover(former);
        assertThat(lock.extendAsync(TTL.multipliedBy(2)).join()).isTrue();
        awaitHeldAt(master);
        assertThat(client().tryAcquire(FaultTest.once("42"))).isEmpty();
        lock.release();
        awaitFreeAt(master);
    }

    private static long sum(List<RedisServer> servers, Pattern figure) {
        return servers.stream()
                .map(server -> figure.matcher(String.valueOf(server.command("INFO", "everything"))))
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    @Test
    void aLockMovesWithItsSlot() {
        LockHandle lock = take(client);
        RedisServer source = cluster.masterOf(KEY);
        SlotMove move = cluster.move(KEY, other(source));
        move.finish();
        awaitHeldAt(move.target());
        assertThat(lock.extendAsync(TTL.multipliedBy(2)).join()).isTrue();
        assertThat(client().tryAcquire(FaultTest.once("42"))).isEmpty();
        lock.release();
        awaitFreeAt(move.target());
        try (LockHandle next = take(client)) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void whileALockAndItsCounterAreOnTwoMastersCommandsAreRefusedAndTheLockStaysHeld() {
        LockHandle lock = take(client);
        SlotMove move = cluster.move(KEY, other(cluster.masterOf(KEY)));
        move.moveKeys(List.of(KEY));
        assertThatThrownBy(() -> lock.extendAsync(TTL).join()).hasMessageContaining("TRYAGAIN");
        assertThatThrownBy(() -> client().acquire(FaultTest.once("42")))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("TRYAGAIN");
        assertThat(lock.isHeld()).isTrue();
        move.finish();
        assertThat(lock.extendAsync(TTL).join()).isTrue();
        lock.release();
        awaitFreeAt(move.target());
    }

    @Test
    void aWaiterGetsTheLockThoughItsSlotMovesMeanwhile() {
        LockHandle lock = take(client);
        CompletableFuture<LockHandle> waiter =
                client().acquireAsync(LockRequest.of("42").withWaitTime(Duration.ofMinutes(1)));
        cluster.move(KEY, other(cluster.masterOf(KEY))).finish();
        lock.release();
        waiter.join().release();
    }
}
