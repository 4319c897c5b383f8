package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.SlotMove;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** F26 and F28: slots move, under locks that are held and waited for. */
@Tag("long")
class SlotMoveTest extends ClusterTest {

    private LockClient client;

    @BeforeEach
    void connect() {
        client = client();
    }

    private static RedisServer other(RedisServer master) {
        return cluster.masters().stream()
                .filter(each -> each != master)
                .findFirst()
                .orElseThrow();
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
    void whileALockAndItsCounterAreOnTwoMastersTheLockIsExtendedAndOthersAreRefused() {
        LockHandle lock = take(client);
        SlotMove move = cluster.move(KEY, other(cluster.masterOf(KEY)));
        move.moveKeys(List.of(KEY));
        assertThat(lock.extendAsync(TTL.multipliedBy(2)).join()).isTrue();
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
    void aLockThatNoCallerWaitsForIsReleasedWhileItsSlotMoves() {
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

    /** The new master was a stranger to the waiter's process until then. */
    @Test
    void aReleaseByTheNewMasterOfASlotGivesTheLockToWhoHasLookedThere() {
        LockHandle lock = take(client);
        RedisServer source = cluster.masterOf(KEY);
        CompletableFuture<LockHandle> waiter = waiting(client(), source, 1);
        SlotMove move = cluster.move(KEY, other(source));
        move.finish();
        String owner = firstInQueue(move.target());
        await().until(() -> isHeard(move.target(), owner));
        lock.release();
        assertThat(move.target().command("GET", KEY)).isEqualTo(owner + "!");
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

    /** A master whose slot moves names the other one when it is asked for a key that it does not have. */
    private static void awaitGoneFrom(RedisServer source) {
        await().until(() -> source.command("KEYS", KEY).equals(List.of()));
    }

    /** Whether the process of this owner would receive what this master publishes to it. */
    private static boolean isHeard(RedisServer master, String owner) {
        String[] first = firstMember(master);
        List<?> receivers = (List<?>) master.command("PUBSUB", "NUMSUB", first[2]);
        return first[4].equals(owner) && receivers != null && receivers.get(1).equals(1L);
    }
}
