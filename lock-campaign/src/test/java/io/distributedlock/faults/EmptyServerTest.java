package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The server dies and comes back without its data: no caller holds anything any more, and holders can't wait for a renewal
 * to learn it.
 */
class EmptyServerTest extends FaultTest {

    /** Renewals are so far apart that only the return of the server can make a holder ask. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    @Test
    void f20AHolderIsToldAsSoonAsAServerIsBackThatHasLostItsLock() {
        assertLostByRestart(take(
                client(relay.uri(), LONG_LEASE, COMMAND_TIMEOUT),
                LockRequest.of("42").withFencing()));
    }

    @Test
    void f20AHolderWithATtlIsToldAsSoonAsAServerIsBackThatHasLostItsLock() {
        LockHandle lock = take(client, LockRequest.of("42").withFencing().withTtl(TWO_HOURS));
        await().until(() -> lock.remaining().compareTo(LONG_LEASE) > 0);
        assertLostByRestart(lock);
    }

    @Test
    void f20ALockThatComesBackFromASnapshotAfterItsReleaseIsReleasedAgain() {
        LockHandle lock =
                take(patient(relay.uri()), LockRequest.of("42").withFencing().withTtl(TWO_HOURS));
        await().until(() -> lock.remaining().compareTo(LONG_LEASE) > 0);
        server.command("SAVE");
        lock.release();
        assertThat(isInRedis()).isFalse();
        server.restart();
        awaitGone();
        take(client(server.uri()), LockRequest.of("42").withFencing()).release();
    }

    private void assertLostByRestart(LockHandle lock) {
        server.restart();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::release).isInstanceOf(LockLostException.class);
        LockHandle next = take(client(server.uri()), LockRequest.of("42").withFencing());
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        next.release();
    }
}
