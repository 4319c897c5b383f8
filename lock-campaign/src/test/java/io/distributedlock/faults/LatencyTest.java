package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slow line: every answer is old when it arrives, and some come after no caller waits for them any more. */
class LatencyTest extends FaultTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {50, 200, 500})
    void f18AHolderNeverCountsOnMoreTimeThanRedisGives(int millisEachWay) {
        LockClient patient = client(relay.uri(), Duration.ofSeconds(6), Duration.ofSeconds(2));
        warmUp(patient);
        slowDown(relay, millisEachWay);
        LockHandle lock = take(patient, LockRequest.of("42"));
        long left = pttl();
        assertThat(lock.remaining()).isPositive().isLessThan(Duration.ofMillis(left));
        await().atMost(LONG).until(() -> pttl() > left);
        long renewed = pttl();
        assertThat(lock.remaining()).isLessThan(Duration.ofMillis(renewed));
        lock.release();
        awaitGone();
        assertThat(isLost(lock)).isFalse();
    }

    /** The reply to the first try comes while the second one is on its way, and is used. */
    @Test
    void f18ALockIsGrantedAlthoughEveryAnswerComesAfterItsTimeout() {
        LockClient patient = client(relay.uri(), Duration.ofSeconds(6), Duration.ofSeconds(1));
        warmUp(patient);
        slowDown(relay, 600);
        LockHandle lock = patient.acquire("42");
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        slowDown(relay, 0);
        awaitGone();
        awaitClean();
    }

    @Tag("long")
    @Test
    void f18ALockIsRenewedAlthoughEveryAnswerComesAfterItsTimeout() {
        LockHandle lock = take("42");
        slowDown(relay, COMMAND_TIMEOUT.toMillis() * 3 / 4);
        long renewals = calls("pexpire");
        await().until(() -> calls("pexpire") > renewals + 4);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        slowDown(relay, 0);
        awaitGone();
        awaitClean();
        assertThat(isLost(lock)).isFalse();
    }

    @Tag("long")
    @Test
    void f18AnAcquireThatIsSlowerThanItsBudgetIsUnknownAndTakenBack() {
        slowDown(relay, 500);
        LockUnavailableException told =
                catchThrowableOfType(LockUnavailableException.class, () -> client.acquire(once("42")));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        awaitClean();
        assertThat(isInRedis()).isFalse();
    }

    private static void slowDown(Relay relay, long millisEachWay) {
        for (Direction direction : Direction.values()) {
            relay.delay(direction, Duration.ofMillis(millisEachWay));
        }
    }
}
