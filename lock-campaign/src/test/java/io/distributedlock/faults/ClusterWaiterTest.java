package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What claims hear that wait at the nodes of a Cluster, each of which tells of its own grants. No caller looks by himself
 * here.
 */
class ClusterWaiterTest extends ClusterTest {

    private RedisLockStore store;

    @BeforeEach
    void connect() {
        cluster.trustNodes(LONG);
        store = storeOf("");
    }

    private static RedisLockStore storeOf(String user) {
        List<RedisURI> nodes = cluster.uris().stream()
                .map(uri -> RedisURI.create(uri.replace("redis://", "redis://" + user)))
                .toList();
        RedisLockStore opened = new RedisLockStore(
                new RedisLockConnection(RedisClientSource.ofCluster(nodes), COMMAND_TIMEOUT), "lock");
        opened.ready().toCompletableFuture().join();
        return opened;
    }

    @AfterEach
    void disconnect() {
        store.close();
    }

    @Test
    void whereTheConnectionToOneNodeIsLostItsWaitersAreToldToLookAgainAndThoseAtOtherNodesAreNot() {
        Claim holder = held("42");
        RedisServer node = masterOf(holder);
        Claim holderElsewhere = held(idAwayFrom(node));
        Claim claim = waiterFor(holder);
        CompletableFuture<Optional<Granted>> news = queued(claim);
        CompletableFuture<Optional<Granted>> newsElsewhere = queued(waiterFor(holderElsewhere));
        cutOffWhileTheLockIsGivenAway(node, key(holder));
        assertThat(awaited(news)).as("an invitation to look").isEmpty();
        assertThat(attempt(claim, Duration.ZERO)).isInstanceOf(Granted.class);
        assertThat(newsElsewhere).isNotDone();
        store.release(holderElsewhere);
        assertThat(awaited(newsElsewhere)).isPresent();
        CompletableFuture<Optional<Granted>> next = queued(waiterFor(holder));
        store.release(claim);
        assertThat(awaited(next)).as("the node delivers again").isPresent();
    }

    /** The process had no connection to the replica, and no caller needs one there but for the waiter. */
    @Test
    void whenAReplicaTakesThePlaceOfItsMasterTheWaitersAreToldToLookAgain() {
        Claim holder = held("43");
        RedisServer former = masterOf(holder);
        RedisServer replica = cluster.replicaOf(former);
        Claim claim = waiterFor(holder);
        CompletableFuture<Optional<Granted>> news = queued(claim);
        assertThat(former.command("WAIT", "1", "30000")).isEqualTo(1L);
        former.kill();
        replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
        assertThat(awaited(news)).as("an invitation to look").isEmpty();
        CompletableFuture<Optional<Granted>> next = queued(claim);
        store.release(holder);
        assertThat(awaited(next).isPresent() || attempt(claim, Duration.ZERO) instanceof Granted)
                .as("has the lock, though it may have been invited to look once more")
                .isTrue();
    }

    /** The nodes pass on to each other what is published; who took that for a grant would hold a lock that is free. */
    @Test
    void aProcessThatIsHeardAtAnotherNodeOnlyIsPassedOverAndNotTold() {
        String channel = "lock:grants:elsewhere";
        Claim holder = held("45");
        RedisServer master = masterOf(holder);
        RedisServer other = masterOf(new Claim(idAwayFrom(master), "nobody"));
        try (RespClient process = RespClient.connect(other.port())) {
            process.command("SUBSCRIBE", channel);
            String arrival = String.valueOf(System.currentTimeMillis() * 1_000);
            master.command("ZADD", key(holder) + ":q", arrival, "30000 60000 " + channel + " 1 a client");
            master.command("APPEND", key(holder), "!");
            assertThat(store.release(holder).toCompletableFuture().join().held())
                    .isTrue();
            assertThat(master.command("EXISTS", key(holder), key(holder) + ":q"))
                    .isEqualTo(0L);
            master.command("PUBLISH", channel, "the first message");
            assertThat(process.receive()).asList().containsExactly("message", channel, "the first message");
        }
    }

    @Test
    void theHolderHearsOfAForcedReleaseByAnotherProcess() {
        List<String> released = new CopyOnWriteArrayList<>();
        Claim holder = held("46");
        store.onForceReleased(test -> Stream.of(holder.owner()).filter(test).forEach(released::add));
        RedisLockStore operator = storeOf("");
        assertThat(operator.forceRelease(holder).toCompletableFuture().join().held())
                .isTrue();
        await().until(() -> released.contains(holder.owner()));
        operator.close();
    }

    /** What the driver asks besides, such as INFO, is not needed. */
    @Test
    void aUserWhoMayAskWhereTheNodesAreAndNothingElseOfThemStandsInTheQueueAndFollowsItsLock() {
        store.close();
        cluster.nodes().forEach(node -> node.command(MessageRightsTest.fullUser("+cluster|nodes")));
        store = storeOf("locks:secret@");
        Claim holder = held("44");
        RedisServer former = masterOf(holder);
        RedisServer replica = cluster.replicaOf(former);
        Claim claim = waiterFor(holder);
        CompletableFuture<Optional<Granted>> news = queued(claim);
        store.release(holder);
        assertThat(awaited(news)).isPresent();
        former.kill();
        replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
        await().ignoreExceptions()
                .until(() -> store.release(claim).toCompletableFuture().isDone()
                        && attempt(waiterFor(holder), Duration.ZERO) instanceof Granted);
    }

    private static String key(Claim claim) {
        return "lock:{" + claim.id() + "}";
    }

    private static RedisServer masterOf(Claim claim) {
        return cluster.masterOf(key(claim));
    }

    private static String idAwayFrom(RedisServer node) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "elsewhere:" + i)
                .filter(id -> cluster.masterOf("lock:{" + id + "}") != node)
                .findFirst()
                .orElseThrow();
    }

    private Claim held(String id) {
        Claim claim = new Claim(id, UUID.randomUUID().toString());
        assertThat(attempt(claim, Duration.ZERO)).isInstanceOf(Granted.class);
        return claim;
    }

    private static Claim waiterFor(Claim holder) {
        return new Claim(holder.id(), UUID.randomUUID().toString());
    }

    private AcquireResult attempt(Claim claim, Duration patience) {
        return store.acquire(claim, LONG, patience).toCompletableFuture().join();
    }

    /** As soon as the node's messages arrive. */
    private CompletableFuture<Optional<Granted>> queued(Claim claim) {
        return await().ignoreExceptions()
                .until(() -> (Refused) attempt(claim, LONG), Refused::queued)
                .grantNotification()
                .toCompletableFuture();
    }

    private static Optional<Granted> awaited(CompletableFuture<Optional<Granted>> news) {
        return news.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** All in one step: the caller that is told now does not hear it. */
    private static void cutOffWhileTheLockIsGivenAway(RedisServer node, String lock) {
        try (RespClient administrator = RespClient.connect(node.port())) {
            administrator.command("MULTI");
            administrator.command("CLIENT", "KILL", "TYPE", "pubsub");
            administrator.command("DEL", lock, lock + ":q");
            assertThat(administrator.command("EXEC")).asList().containsExactly(1L, 2L);
        }
    }
}
