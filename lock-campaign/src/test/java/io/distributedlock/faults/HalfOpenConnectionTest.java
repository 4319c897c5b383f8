package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.relay.RelayConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A firewall forgets a connection: it stays open on both sides, and nothing passes any more. */
class HalfOpenConnectionTest extends FaultTest {

    @Test
    void f15ASilentConnectionIsReplacedBeforeTheLeaseOfALockEnds() {
        LockClient holder = client(relay.uri(), TTL.multipliedBy(3), COMMAND_TIMEOUT);
        LockHandle lock = take(holder, LockRequest.of("42"));
        List<RelayConnection> old = blackHole();
        awaitAnotherConnectionThan(old);
        assertThat(lock.isHeld()).isTrue();
        awaitRenewal(lock);
        take("another").release();
        assertThat(isLost(lock)).isFalse();
        lock.release();
        awaitGone();
    }

    @Test
    void f15AnAcquireInABlackHoleIsTakenBackAndNeverExecutedLater() {
        List<RelayConnection> old = blackHole();
        LockUnavailableException told =
                catchThrowableOfType(LockUnavailableException.class, () -> client.acquire(once("42")));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        awaitAnotherConnectionThan(old);
        awaitClean();
        take("42").release();
        Object token = token();
        old.forEach(each -> {
            each.deliver(Direction.REQUESTS);
            each.deliver(Direction.REPLIES);
        });
        await().until(() -> relay.connections().stream().noneMatch(old::contains));
        assertThat(token()).isEqualTo(token);
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f15AnAcquireOnAnIdleConnectionThatWasForgottenOnTheWayIsGrantedOnAnotherOne() {
        try (CommandRelay counting = CommandRelay.to(server.port())) {
            LockClient idle = client(counting.uri(), Duration.ofSeconds(6), Duration.ofSeconds(2));
            warmUp(idle);
            await().until(() -> counting.count("PING") > 0);
            blackHole(counting.relay());
            LockHandle lock = idle.acquire(LockRequest.of("42").withWaitTime(Duration.ofSeconds(10)));
            assertThat(lock.isHeld()).isTrue();
            lock.release();
            awaitGone();
        }
    }

    private List<RelayConnection> blackHole() {
        return blackHole(relay);
    }

    private static List<RelayConnection> blackHole(Relay relay) {
        List<RelayConnection> open = relay.connections();
        open.forEach(each -> {
            each.hold(Direction.REQUESTS);
            each.hold(Direction.REPLIES);
        });
        return open;
    }

    private void awaitAnotherConnectionThan(List<RelayConnection> old) {
        await().until(() -> !old.containsAll(relay.connections()));
    }
}
