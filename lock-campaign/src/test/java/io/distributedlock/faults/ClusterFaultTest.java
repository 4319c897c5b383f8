package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** F23, F25 and F27: masters fail over, under locks that are held, wanted and waited for. */
@Tag("long")
class ClusterFaultTest extends ClusterTest {

    private LockClient client;

    @BeforeEach
    void connect() {
        client = client();
    }

    /** Once there is a new master, it stays: on a busy machine it might be taken for failed as well. */
    private static RedisServer awaitFailover(RedisServer former) {
        cluster.awaitFailover(KEY, former);
        cluster.trustNodes(LONG);
        return cluster.masterOf(KEY);
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

    /** Within 3 s, usually one or two; the limit is one that a busy machine keeps. */
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

    @Test
    void whenTheMasterChangesOnRequestTheLockStays() {
        LockHandle lock = take(client);
        RedisServer master = cluster.changeMaster(KEY);
        cluster.trustNodes(LONG);
        assertThat(lock.extendAsync(TTL.multipliedBy(2)).join()).isTrue();
        awaitHeldAt(master);
        assertThat(client().tryAcquire(FaultTest.once("42"))).isEmpty();
        lock.release();
        awaitFreeAt(master);
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
            assertThat(master.command("GET", KEY)).isEqualTo(owner + "!");
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
