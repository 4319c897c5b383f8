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
import java.util.ArrayList;
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

    private static final String QUEUE = KEY + ":q";
    private static final LockRequest PATIENT = LockRequest.of("42").withWaitTime(Duration.ofMinutes(1));

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

    /** The new master was a stranger to the waiter's process until then. */
    @Test
    void aReleaseByTheNewMasterOfASlotGivesTheLockToWhoHasLookedThere() {
        LockHandle lock = take(client);
        RedisServer source = cluster.masterOf(KEY);
        CompletableFuture<LockHandle> waiter = waiting(client(), source, 1);
        SlotMove move = cluster.move(KEY, other(source));
        move.finish();
        String owner = firstInQueue(move.target());
        await().atMost(60, TimeUnit.SECONDS).until(() -> isHeard(move.target(), owner));
        lock.release();
        assertThat(move.target().command("GET", KEY)).isEqualTo(owner);
        awaitLock(waiter).release();
        awaitFreeAt(move.target());
    }

    @Test
    void aLockThatNobodyWaitsForIsReleasedWhileItsSlotMoves() {
        LockHandle lock = take(client);
        SlotMove move = cluster.move(KEY, other(cluster.masterOf(KEY)));
        lock.release();
        awaitGoneFrom(move.source());
        move.finish();
        take(client).release();
    }

    @Test
    void whileALockAndItsQueueAreOnTwoMastersAReleaseFreesItAndTheWaiterFindsIt() {
        LockHandle lock = take(client);
        CompletableFuture<LockHandle> waiter = waiting(client(), cluster.masterOf(KEY), 1);
        SlotMove move = cluster.move(KEY, other(cluster.masterOf(KEY)));
        move.moveKeys(List.of(QUEUE));
        lock.release();
        awaitGoneFrom(move.source());
        assertThat(waiter).isNotDone();
        move.finish();
        awaitLock(waiter).release();
        awaitFreeAt(move.target());
    }

    @Test
    void aWaiterGetsTheLockThoughItsSlotMovesMeanwhile() {
        LockHandle lock = take(client);
        CompletableFuture<LockHandle> waiter = client().acquireAsync(PATIENT);
        cluster.move(KEY, other(cluster.masterOf(KEY))).finish();
        lock.release();
        waiter.join().release();
    }

    /** Once it is the last of so many in the queue. */
    private static CompletableFuture<LockHandle> waiting(LockClient client, RedisServer master, long count) {
        CompletableFuture<LockHandle> waiter = client.acquireAsync(PATIENT);
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> master.command("ZCARD", QUEUE).equals(count));
        return waiter;
    }

    /** A master whose slot moves names the other one when it is asked for a key that it does not have. */
    private static void awaitGoneFrom(RedisServer source) {
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> source.command("KEYS", KEY).equals(List.of()));
    }

    private static String[] firstMember(RedisServer master) {
        List<?> first = (List<?>) master.command("ZRANGE", QUEUE, "0", "0");
        return String.valueOf(first == null ? "" : first.get(0)).split(" ");
    }

    private static String firstInQueue(RedisServer master) {
        return firstMember(master)[3];
    }

    /** Whether the process of this owner would receive what this master publishes to it. */
    private static boolean isHeard(RedisServer master, String owner) {
        String[] first = firstMember(master);
        List<?> receivers = (List<?>) master.command("PUBSUB", "NUMSUB", first[2]);
        return first[3].equals(owner) && receivers != null && receivers.get(1).equals(1L);
    }

    private static LockHandle awaitLock(CompletableFuture<LockHandle> waiter) {
        LockHandle lock = waiter.orTimeout(60, TimeUnit.SECONDS).join();
        lock.unbind();
        return lock;
    }
}
