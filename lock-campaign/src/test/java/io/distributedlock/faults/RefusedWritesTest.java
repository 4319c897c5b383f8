package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The server answers, but refuses every write, while leases go on running out: its disk is broken, or its replicas are
 * gone.
 */
class RefusedWritesTest extends FaultTest {

    private final String folder = String.valueOf(((List<?>) server.command("CONFIG", "GET", "dir")).get(1));
    private final RecordedEvents events = new RecordedEvents();
    private LockClient watched;

    @BeforeEach
    void watch() {
        watched = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .ttl(TTL.multipliedBy(3))
                .commandTimeout(TTL)
                .listener(events)
                .build();
        warmUp(watched);
    }

    @AfterEach
    void close() {
        watched.close();
    }

    @Test
    void f36AServerThatCanNotSaveRefusesANewLockDefinitely() {
        breakSaving();
        assertANewLockIsRefusedWith("MISCONF");
        repairSaving();
        take("42").release();
    }

    @Test
    void f36AHolderOnAServerThatCanNotSaveIsToldBeforeItsLeaseEnds() {
        LockHandle lock = take("42");
        breakSaving();
        assertTheHolderIsToldInTime(lock);
        repairSaving();
        take("42").release();
    }

    @Test
    void f36AHolderSurvivesAServerThatCanSaveAgainWithinItsLease() {
        LockHandle lock = watched.acquire("42");
        breakSaving();
        awaitRefusedRenewal();
        repairSaving();
        assertItIsRenewedAgain(lock);
    }

    @Test
    void f36AReleaseThatAServerRefusedIsRepeatedUntilItCanSaveAgain() {
        LockHandle lock = stretched();
        breakSaving();
        lock.release();
        assertThat(isInRedis()).isTrue();
        repairSaving();
        awaitGone();
        awaitClean();
    }

    @Test
    void f37AServerWithoutItsReplicasRefusesANewLockDefinitely() {
        removeReplicas();
        assertANewLockIsRefusedWith("NOREPLICAS");
        restoreReplicas();
        take("42").release();
    }

    @Test
    void f37AHolderOnAServerWithoutItsReplicasIsToldBeforeItsLeaseEnds() {
        LockHandle lock = take("42");
        removeReplicas();
        assertTheHolderIsToldInTime(lock);
        restoreReplicas();
        take("42").release();
    }

    @Test
    void f37AHolderSurvivesAServerWhoseReplicasComeBackWithinItsLease() {
        LockHandle lock = watched.acquire("42");
        removeReplicas();
        awaitRefusedRenewal();
        restoreReplicas();
        assertItIsRenewedAgain(lock);
    }

    @Test
    void f37AReleaseThatAServerRefusedIsRepeatedUntilItsReplicasAreBack() {
        LockHandle lock = stretched();
        removeReplicas();
        lock.release();
        assertThat(isInRedis()).isTrue();
        restoreReplicas();
        awaitGone();
        awaitClean();
    }

    private void assertANewLockIsRefusedWith(String word) {
        LockUnavailableException told =
                catchThrowableOfType(LockUnavailableException.class, () -> watched.acquire(once("42")));
        assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(told).hasMessageContaining(word);
        assertThat(isInRedis()).isFalse();
        assertThat(watched.unresolved()).isZero();
    }

    /** The server's figure counts at the earliest from {@code begin}, the holder's until {@code end} at the latest. */
    private void assertTheHolderIsToldInTime(LockHandle lock) {
        await().until(() -> {
            long begin = System.nanoTime();
            Duration leaseEndsIn = Duration.ofMillis(pttl());
            Duration heldFor = lock.remaining();
            Duration end = Duration.ofNanos(System.nanoTime() - begin);
            return !heldFor.isZero() && end.plus(heldFor).compareTo(leaseEndsIn) < 0;
        });
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        assertThat(lock.isHeld()).isFalse();
        awaitGone();
    }

    private void awaitRefusedRenewal() {
        await().until(() -> !events.all(LockEvent.RenewalFailed.class).isEmpty());
    }

    private void assertItIsRenewedAgain(LockHandle lock) {
        awaitRenewal(lock);
        lock.release();
        assertThat(isInRedis()).isFalse();
        assertThat(events.all(LockEvent.RenewalFailed.class)).hasSize(1);
    }

    private LockHandle stretched() {
        LockHandle lock = take(client, LockRequest.of("42").withTtl(TWO_HOURS));
        await().ignoreExceptionsInstanceOf(LockLostException.class).until(() -> {
            lock.requireHeld(TWO_HOURS.dividedBy(2));
            return true;
        });
        return lock;
    }

    private void removeReplicas() {
        server.command("CONFIG", "SET", "min-replicas-to-write", "1");
    }

    private void restoreReplicas() {
        server.command("CONFIG", "SET", "min-replicas-to-write", "0");
    }

    private void breakSaving() {
        try {
            Path gone = Files.createTempDirectory("gone");
            server.command("CONFIG", "SET", "save", "3600 1");
            server.command("CONFIG", "SET", "dir", gone.toString());
            Files.delete(gone);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.command("BGSAVE");
        awaitLastSave("err");
    }

    private void repairSaving() {
        server.command("CONFIG", "SET", "dir", folder);
        server.command("SAVE");
        awaitLastSave("ok");
    }

    private void awaitLastSave(String status) {
        await().until(() ->
                String.valueOf(server.command("INFO", "persistence")).contains("rdb_last_bgsave_status:" + status));
    }
}
