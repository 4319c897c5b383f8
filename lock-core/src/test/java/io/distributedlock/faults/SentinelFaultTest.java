package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.SentinelSet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** F22 to F25: the master changes, with and without the lock, and with somebody who still talks to the old one. */
class SentinelFaultTest extends TopologyTest {

    /** Longer than any test: nobody is taken for down. */
    private static final Duration LONG = Duration.ofMinutes(10);

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
        set.downAfterUsualSilence();
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

    /** The Sentinels look once a second whether it is there; what comes on top is a reconnect. The limit is one that a busy machine keeps. */
    @Test
    void locksAreGrantedSoonAfterTheNewMasterAcceptsWrites() {
        take(client).release();
        List<RedisServer> successors = set.replicas();
        set.master().kill();
        assertThat(delayOfFirstGrant(client, successors)).isLessThan(Duration.ofSeconds(10));
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
