package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import org.junit.jupiter.api.Test;

/** A server that stood still for longer than a lease goes on with what it had not read yet. */
class LongStallTest extends FaultTest {

    @Test
    void f12AnAcquireOfAnEndedConnectionThatIsExecutedAfterALongStallIsTakenBack() {
        LockHandle clock = take(client, LockRequest.of("clock").withTtl(TTL.plusSeconds(1)));
        server.pause();
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRunAsync(() -> {
            relay.refuse(true);
            relay.cut(Cut.FIN);
            relay.deliver(Direction.REPLIES);
        });
        assertThat(catchThrowableOfType(LockUnavailableException.class, () -> client.acquire(once("42")))
                        .outcome())
                .isEqualTo(Outcome.UNKNOWN);
        awaitLoss(clock);
        relay.refuse(false);
        server.resume();
        await().ignoreExceptions()
                .until(() -> client.tryAcquire(once("reachable")).isPresent());
        awaitClean();
        assertThat(isInRedis()).isFalse();
    }
}
