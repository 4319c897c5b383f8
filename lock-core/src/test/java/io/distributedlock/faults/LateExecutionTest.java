package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.Cut;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A server that hung executes what it finds in its sockets, in any order, also from connections that have ended. */
class LateExecutionTest extends FaultTest {

    @RepeatedTest(10)
    void anAcquireThatAHungServerFindsOnAnEndedConnectionLeavesNothingBehind() {
        server.pause();
        assertThat(catchThrowable(() -> client.acquire(once("42").withTtl(TWO_HOURS))))
                .isInstanceOf(LockUnavailableException.class);
        relay.cut(Cut.FIN);
        server.resume();
        awaitClean();
        awaitTheServerHasDroppedEndedConnections();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void aLockIsUsableAtOnceAfterAServerHung() {
        server.pause();
        assertThat(catchThrowable(() -> client.acquire(once("42")))).isInstanceOf(LockUnavailableException.class);
        server.resume();
        client.acquire("42").release();
        awaitClean();
    }

    private void awaitTheServerHasDroppedEndedConnections() {
        await().until(() -> {
            String clients = String.valueOf(server.command("CLIENT", "LIST", "TYPE", "normal"));
            return clients.lines().filter(line -> line.contains("id=")).count() <= 2;
        });
    }
}
