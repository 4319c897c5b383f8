package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.RelayConnection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * An operator pauses the clients for a fail-over: commands are kept by the server and may be executed at the end of the
 * pause.
 */
class WritePauseTest extends FaultTest {

    private static final String AN_HOUR = "3600000";

    @Test
    void f13AnAcquireThatIsExecutedAtTheEndOfAPauseIsTakenBack() {
        server.command("CLIENT", "PAUSE", AN_HOUR, "WRITE");
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        server.command("CLIENT", "UNPAUSE");
        awaitClean();
        assertThat(isInRedis()).isFalse();
        take("42").release();
    }

    @Test
    void f13AnAcquireWhosePauseOutlastsItsConnectionIsNeverExecuted() {
        RelayConnection old = relay.connections().get(0);
        Object token = token();
        server.command("CLIENT", "PAUSE", AN_HOUR, "WRITE");
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        await().until(() ->
                !relay.connections().isEmpty() && !relay.connections().contains(old));
        server.command("CLIENT", "UNPAUSE");
        awaitClean();
        assertThat(isInRedis()).isFalse();
        assertThat(token()).isEqualTo(token);
        take("42").release();
    }

    @Test
    void f13AHolderThatCanNotRenewDuringAPauseNeverSaysHeldOnceItsKeyHasExpired() {
        LockHandle lock = take("42");
        server.command("CLIENT", "PAUSE", AN_HOUR, "WRITE");
        await().pollInterval(1, TimeUnit.MILLISECONDS).until(() -> {
            boolean gone = !isInRedis();
            assertThat(gone && lock.isHeld()).isFalse();
            return gone;
        });
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        server.command("CLIENT", "UNPAUSE");
        awaitClean();
        assertThat(isInRedis()).isFalse();
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void f13APauseOfAllCommandsLeavesNothingBehind() {
        LockHandle lock = take(client(relay.uri(), TTL.multipliedBy(4), COMMAND_TIMEOUT), LockRequest.of("held"));
        server.command("CLIENT", "PAUSE", "4000", "ALL");
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        awaitClean();
        assertThat(isInRedis()).isFalse();
        assertThat(isLost(lock)).isFalse();
        lock.release();
        take("42").release();
    }

    private Outcome outcomeOfAcquire() {
        return catchThrowableOfType(LockUnavailableException.class, () -> client.acquire(once("42")))
                .outcome();
    }
}
