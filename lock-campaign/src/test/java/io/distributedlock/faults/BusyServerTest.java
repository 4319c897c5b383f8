package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.RelayConnection;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Another client's script runs and runs: Redis first hangs, and then refuses all other commands. */
class BusyServerTest extends FaultTest {

    private static final Duration PATIENT = Duration.ofSeconds(5);

    BusyServerTest() {
        super("--lua-time-limit", "1");
    }

    @Test
    void f14ABusyServerIsADefiniteRefusalAndNothingIsWritten() {
        LockClient patient = client(relay.uri(), PATIENT.multipliedBy(3), PATIENT);
        warmUp(patient);
        try (RespClient other = RespClient.connect(server.port())) {
            keepBusy(other);
            LockUnavailableException told =
                    catchThrowableOfType(LockUnavailableException.class, () -> patient.acquire(once("42")));
            assertThat(told).hasMessageContaining("BUSY");
            assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
            assertThat(patient.unresolved()).isZero();
            killScript();
        }
        assertThat(isInRedis()).isFalse();
        take("42").release();
    }

    @Test
    void f14ALockOutlivesAScriptThatEndsBeforeItsLease() {
        LockHandle lock = take(client(relay.uri(), TTL.multipliedBy(3), COMMAND_TIMEOUT), LockRequest.of("42"));
        Duration left = lock.remaining();
        try (RespClient other = RespClient.connect(server.port())) {
            keepBusy(other);
            await().until(() -> lock.remaining().compareTo(left.minus(TTL)) < 0);
            killScript();
        }
        await().until(() -> lock.remaining().compareTo(left.minus(TTL)) > 0);
        assertThat(isLost(lock)).isFalse();
        lock.release();
        awaitGone();
    }

    @Test
    void f14ALockIsLostWhenAScriptOutlastsItsLease() {
        LockHandle lock = take("42");
        try (RespClient other = RespClient.connect(server.port())) {
            keepBusy(other);
            assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
            killScript();
        }
        awaitClean();
        assertThat(isInRedis()).isFalse();
        assertThat(lock.isHeld()).isFalse();
    }

    /** It is told of its turn again: what it asks for then must not be forgotten because it was refused once. */
    @Test
    void f14AClientThatReconnectsToABusyServerIsReachedByMessagesAfterwards() {
        await().until(() -> !subscribed().isEmpty());
        try (RespClient other = RespClient.connect(server.port())) {
            keepBusy(other);
            CompletableFuture<RelayConnection> asked =
                    relay.holdWhen(Direction.REPLIES, request -> request.startsWith("SUBSCRIBE"));
            relay.cut(Cut.RST);
            RelayConnection again = asked.orTimeout(60, TimeUnit.SECONDS).join();
            await().until(() -> again.kept(Direction.REPLIES) > 0);
            relay.deliver(Direction.REPLIES);
            killScript();
        }
        await().until(() -> !subscribed().isEmpty());
    }

    private List<?> subscribed() {
        return (List<?>) Objects.requireNonNull(server.command("PUBSUB", "CHANNELS", "lock:grants:*"));
    }

    private void keepBusy(RespClient other) {
        other.send("EVAL", "while true do end", "0");
        await().until(this::isBusy);
    }

    private void killScript() {
        server.command("SCRIPT", "KILL");
        await().until(() -> !isBusy());
    }

    private boolean isBusy() {
        try {
            server.command("PING");
            return false;
        } catch (RespError refused) {
            return refused.code().equals("BUSY");
        }
    }
}
