package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The server dies and comes back with everything that it had confirmed. */
class RestartedServerTest extends FaultTest {

    RestartedServerTest() {
        super("--appendonly", "yes", "--appendfsync", "always");
    }

    @Test
    void f19ARenewedLockSurvivesARestartThatLosesNothing() {
        LockHandle lock = take(client(relay.uri(), Duration.ofMinutes(1), COMMAND_TIMEOUT), LockRequest.of("42"));
        assertSurvivesRestart(lock, Duration.ofMinutes(1).toMillis());
    }

    @Test
    void f19ALockWithATtlSurvivesARestartThatLosesNothingAndEndsNoLater() {
        LockHandle lock = take(client, LockRequest.of("42").withTtl(TWO_HOURS));
        await().until(() -> pttl() > Duration.ofHours(1).toMillis());
        long before = pttl();
        assertSurvivesRestart(lock, before);
    }

    private void assertSurvivesRestart(LockHandle lock, long longestExpiry) {
        server.restart();
        await().until(() -> calls("getex") > 0);
        assertThat(pttl()).isPositive().isLessThanOrEqualTo(longestExpiry);
        LockClient other = patient(server.uri());
        assertThat(other.tryAcquire(once("42"))).isEmpty();
        assertThat(lock.isHeld()).isTrue();
        assertThat(isLost(lock)).isFalse();
        lock.release();
        awaitGone();
    }
}
