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
import io.distributedlock.testkit.Direction;
import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.Relay;
import io.distributedlock.testkit.SentinelSet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** F22 to F25: the master changes, with and without the lock, and with somebody who still talks to the old one. */
class SentinelFaultTest extends TopologyTest {

    /** Longer than any test: nobody is taken for down. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Long enough for a busy machine; after half of it, a Sentinel that was locked out of a node tries again to be let in. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final Pattern QUESTION = Pattern.compile(" name= .* cmd=info ");

    private static SentinelSet set;

    private LockClient client;

    @BeforeAll
    static void start() {
        set = SentinelSet.start();
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    @BeforeEach
    void connect() {
        set.rejoinAll();
        set.master().command("FLUSHALL");
        client = client(TTL);
    }

    private LockClient client(Duration ttl) {
        return client(RedisClientSource.of(RedisURI.create(set.uri())), ttl);
    }

    /** Once there is a new master, it stays: on a busy machine it might be taken for down as well. */
    private static RedisServer awaitPromotion(RedisServer former) {
        RedisServer master = set.awaitPromotion(former);
        set.downAfter(LONG);
        return master;
    }

    private static void replicate() {
        assertThat(set.master().command("WAIT", "2", "30000")).isEqualTo(2L);
    }

    @Test
    void aLockThatWasReplicatedSurvivesTheDeathOfTheMaster() {
        LockHandle lock = take(client);
        replicate();
        RedisServer former = set.master();
        former.kill();
        RedisServer master = awaitPromotion(former);
        awaitRenewalAt(master);
        assertThat(lock.isHeld()).isTrue();
        assertThat(client(TTL).tryAcquire(FaultTest.once("42"))).isEmpty();
        lock.release();
        awaitFreeAt(master);
        try (LockHandle next = take(client)) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    /** A tenth of a second or two; the limit is one that a busy machine keeps. */
    @Test
    void locksAreGrantedSoonAfterTheNewMasterAcceptsWrites() {
        take(client).release();
        List<RedisServer> successors = set.replicas();
        RedisServer former = set.master();
        former.kill();
        assertThat(delayOfFirstGrant(client, successors)).isLessThan(Duration.ofSeconds(10));
        awaitPromotion(former);
    }

    /** Sentinels that notice nothing stand for those that notice late. */
    @Test
    void aPromotedReplicaIsFoundThoughTheSentinelsStillNameTheFormerMaster() {
        set.downAfter(LONG);
        take(client).release();
        RedisServer former = set.master();
        RedisServer successor = set.replicas().get(0);
        former.kill();
        awaitQuestionTo(successor);
        successor.command("REPLICAOF", "NO", "ONE");
        LockHandle lock = take(client);
        awaitHeldAt(successor);
        assertThat(set.master()).isSameAs(former);
        lock.release();
        awaitFreeAt(successor);
    }

    /** This client waits longer for a connection than the test does for a lock. The Sentinel itself stays well. */
    @Test
    void aSentinelThatVanishesTogetherWithTheMasterIsNotWaitedFor() {
        int first = set.sentinels().get(0).port();
        try (Relay way = Relay.to(first)) {
            String uri = set.uri().replace(":" + first, ":" + way.port());
            LockClient patient =
                    client(RedisClientSource.of(RedisURI.create(uri)), Duration.ofMinutes(10), Duration.ofMinutes(2));
            take(patient).release();
            List<RedisServer> successors = set.replicas();
            RedisServer former = set.master();
            way.hold(Direction.REPLIES);
            former.kill();
            assertThat(delayOfFirstGrant(patient, successors)).isLessThan(Duration.ofMinutes(1));
            awaitPromotion(former);
        }
    }

    /** It can't find the promoted replica by itself, so it waits until the Sentinels name it. */
    @Test
    void aUserWhoMayNotAskAServerWhatItIsFollowsTheSentinels() {
        set.nodes().forEach(node -> node.command(MessageRightsTest.fullUser()));
        RedisURI asUser = RedisURI.create(set.uri().replaceFirst("//[^@]*@", "//locks:secret@"));
        LockClient user = client(RedisClientSource.of(asUser), TTL);
        take(user).release();
        RedisServer former = set.master();
        former.kill();
        RedisServer master = awaitPromotion(former);
        LockHandle lock = take(user);
        awaitHeldAt(master);
        lock.release();
    }

    @Test
    void aReplicaThatComesBackAsAMasterIsNotTakenForThePromotedOne() {
        set.downAfter(LONG);
        take(client).release();
        RedisServer stranger = set.replicas().get(0);
        stranger.kill();
        set.master().kill();
        stranger.restart();
        awaitQuestionTo(stranger);
        assertThatThrownBy(() -> client.acquire(LockRequest.of("42").withWaitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockUnavailableException.class);
        assertThat(pttl(stranger)).isNegative();
    }

    /** Sentinels ask, too, but by their names. */
    private static void awaitQuestionTo(RedisServer server) {
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> QUESTION.matcher(String.valueOf(server.command("CLIENT", "LIST")))
                        .find());
    }

    @Test
    void whenTheMasterChangesOnRequestTheLockStays() {
        LockHandle lock = take(client);
        replicate();
        RedisServer master = set.failover();
        set.downAfter(LONG);
        awaitRenewalAt(master);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        awaitFreeAt(master);
    }

    @Test
    void aMasterThatHangsIsLeftForTheNewOne() {
        take(client).release();
        RedisServer former = set.master();
        former.pause();
        RedisServer master = awaitPromotion(former);
        LockHandle lock = take(client);
        awaitHeldAt(master);
        lock.release();
        awaitFreeAt(master);
    }

    @Test
    void theHolderOfALockThatWasNotReplicatedIsToldAndTheNextTokenIsHigher() {
        RedisServer former = set.master();
        set.downAfter(LONG);
        set.isolate(former);
        LockHandle lock = take(client);
        awaitHeldAt(former);
        former.kill();
        set.downAfterUsualSilence();
        awaitPromotion(former);
        try (LockHandle next = take(client(TTL))) {
            assertThat(FaultTest.awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void aWaiterWhoseQueueTheNewMasterDoesNotHaveGetsTheLockAllTheSame() {
        LockHandle lock = take(client);
        replicate();
        RedisServer former = set.master();
        set.downAfter(LONG);
        set.isolate(former);
        CompletableFuture<LockHandle> waiter =
                client(TTL).acquireAsync(LockRequest.of("42").withWaitTime(Duration.ofMinutes(2)));
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> former.command("ZCARD", KEY + ":q").equals(1L));
        former.kill();
        set.downAfterUsualSilence();
        RedisServer master = awaitPromotion(former);
        lock.release();
        try (LockHandle next = waiter.orTimeout(60, TimeUnit.SECONDS).join()) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
        awaitFreeAt(master);
    }

    @Test
    void aHolderOnTheOldSideOfASplitIsToldWhenTheSplitEnds() {
        LockHandle old = take(client);
        replicate();
        RedisServer former = set.master();
        set.isolate(former);
        RedisServer master = awaitPromotion(former);
        master.command("DEL", KEY);
        try (LockHandle next = take(client(TTL))) {
            assertThat(old.isHeld())
                    .as("both sides believe: Redis can't prevent it")
                    .isTrue();
            assertThat(next.fencingToken()).isGreaterThan(old.fencingToken());
            set.downAfter(PATIENCE);
            set.heal(former);
            assertThat(FaultTest.awaitLoss(old)).isEqualTo(LossReason.NOT_OWNER);
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void aMasterThatNeedsReplicasStopsRenewingOnTheOldSideOfASplit() {
        LockClient hasty = client(Duration.ofSeconds(5));
        set.nodes()
                .forEach(node ->
                        node.command("CONFIG", "SET", "min-replicas-max-lag", "1", "min-replicas-to-write", "1"));
        try {
            LockHandle old = take(hasty);
            RedisServer former = set.master();
            set.isolate(former);
            assertThat(FaultTest.awaitLoss(old)).isEqualTo(LossReason.DEADLINE);
            awaitPromotion(former);
        } finally {
            set.nodes().forEach(node -> node.command("CONFIG", "SET", "min-replicas-to-write", "0"));
        }
    }

    @Test
    void aMasterThatBecomesAReplicaWhileItsClientsStayConnectedIsLeft() {
        LockHandle lock = take(client);
        replicate();
        RedisServer former = set.master();
        RedisServer chosen = set.replicas().get(0);
        former.command("FAILOVER", "TO", "127.0.0.1", Integer.toString(chosen.port()));
        RedisServer master = awaitPromotion(former);
        awaitRenewalAt(master);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        awaitFreeAt(master);
    }
}
