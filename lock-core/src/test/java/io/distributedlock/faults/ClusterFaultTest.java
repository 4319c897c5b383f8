package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** F23, F25 and F27: masters fail over, under locks that are held, wanted and waited for. */
class ClusterFaultTest extends ClusterTest {

    private static final Pattern NODES_CALLS = Pattern.compile("cmdstat_cluster(?:\\|nodes)?:calls=(\\d+)");
    private static final Pattern CONNECTIONS = Pattern.compile("total_connections_received:(\\d+)");

    private LockClient client;

    @BeforeEach
    void connect() {
        client = client();
    }

    /** Once there is a new master, it stays: on a busy machine it might be taken for failed as well. */
    private static RedisServer awaitFailover(RedisServer former) {
        RedisServer master = cluster.awaitFailover(KEY, former);
        cluster.nodeTimeout(LONG);
        return master;
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
    void waitersOfOtherProcessesAreServedInTheOrderOfTheirArrivalWithoutATry() {
        LockHandle holder = take(client);
        RedisServer master = cluster.masterOf(KEY);
        List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
        for (long i = 1; i <= 3; i++) {
            waiters.add(waiting(client(), master, i));
        }
        for (CompletableFuture<LockHandle> next : waiters) {
            String owner = firstInQueue(master);
            holder.release();
            assertThat(master.command("GET", KEY)).isEqualTo(owner);
            holder = awaitLock(next);
        }
        holder.release();
        awaitFreeAt(master);
    }

    @Test
    void aWaiterSurvivesTheDeathOfItsMaster() {
        LockHandle lock = take(client);
        RedisServer former = cluster.masterOf(KEY);
        CompletableFuture<LockHandle> waiter = waiting(client(), former, 1);
        assertThat(former.command("WAIT", "1", "30000")).isEqualTo(1L);
        former.kill();
        RedisServer master = awaitFailover(former);
        awaitRenewalAt(master);
        lock.release();
        awaitLock(waiter).release();
        awaitFreeAt(master);
    }
}
