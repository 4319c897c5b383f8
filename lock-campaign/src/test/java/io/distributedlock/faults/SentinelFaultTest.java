package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** F22 to F25: the master changes, with and without the lock, and with a client who still talks to the old one. */
class SentinelFaultTest extends SentinelTest {

    /**
     * Long enough for a busy machine; after half of it, a Sentinel that was locked out of a node tries again to be let
     * in.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    @Tag("long")
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

    /** Within 3 s, usually one; the limit is one that a busy machine keeps. */
    @Test
    void locksAreGrantedSoonAfterTheNewMasterAcceptsWrites() {
        take(client).release();
        List<RedisServer> successors = set.replicas();
        RedisServer former = set.master();
        former.kill();
        assertThat(delayOfFirstGrant(client, successors)).isLessThan(Duration.ofSeconds(10));
        awaitPromotion(former);
    }

    /** The first one is waited for until it is clear that it does not answer. The Sentinel itself stays well. */
    @Tag("long")
    @Test
    void whereASentinelVanishesTogetherWithTheMasterAnotherOneIsAsked() {
        int first = set.sentinels().get(0).port();
        try (Relay way = Relay.to(first)) {
            String uri = set.uri().replace(":" + first, ":" + way.port());
            LockClient client = client(RedisClientSource.of(RedisURI.create(uri)), TTL);
            take(client).release();
            List<RedisServer> successors = set.replicas();
            RedisServer former = set.master();
            way.hold(Direction.REPLIES);
            former.kill();
            assertThat(delayOfFirstGrant(client, successors)).isLessThan(Duration.ofSeconds(30));
            awaitPromotion(former);
        }
    }

    @Tag("long")
    @Test
    void aUserWithTheRightsForLocksAloneIsLedToTheNewMaster() {
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

    @Tag("long")
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

    @Tag("long")
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

    @Tag("long")
    @Test
    void aLockWhoseReleaseWasNotReplicatedIsReleasedAgainAtTheNewMaster() {
        LockHandle lock =
                FaultTest.take(client, LockRequest.of("42").withFencing().withTtl(FaultTest.TWO_HOURS));
        await().atMost(60, TimeUnit.SECONDS).until(() -> lock.remaining().compareTo(LONG) > 0);
        replicate();
        RedisServer former = set.master();
        set.downAfter(LONG);
        set.isolate(former);
        lock.release();
        awaitFreeAt(former);
        former.kill();
        set.downAfterUsualSilence();
        awaitFreeAt(awaitPromotion(former));
    }

    @Tag("long")
    @Test
    void aWaiterWhoseQueueTheNewMasterDoesNotHaveGetsTheLockAllTheSame() {
        LockHandle lock = take(client);
        replicate();
        RedisServer former = set.master();
        set.downAfter(LONG);
        set.isolate(former);
        CompletableFuture<LockHandle> waiter =
                client(TTL).acquireAsync(LockRequest.of("42").withFencing().withWaitTime(Duration.ofMinutes(2)));
        await().until(() -> former.command("ZCARD", KEY + ":q").equals(1L));
        former.kill();
        set.downAfterUsualSilence();
        RedisServer master = awaitPromotion(former);
        lock.release();
        try (LockHandle next = waiter.orTimeout(60, TimeUnit.SECONDS).join()) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
        awaitFreeAt(master);
    }

    @Tag("long")
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
            assertThat(old.lost().toCompletableFuture())
                    .as("a Sentinel that was delayed by 2 s makes no caller a replica for 30 s")
                    .succeedsWithin(Duration.ofMinutes(2))
                    .isEqualTo(LossReason.NOT_OWNER);
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Tag("long")
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

    @Tag("long")
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
