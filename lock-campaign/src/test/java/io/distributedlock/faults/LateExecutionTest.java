package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.RelayConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
    void anAcquireThatWasAllThatItsConnectionCarriedLeavesNothingBehindHoweverLateItArrives() {
        client.close();
        client = closedAtTheEnd(newClient(relay.uri(), TTL, COMMAND_TIMEOUT, false));
        warmUp(client);
        await().until(() -> relay.connections().size() == 1);
        RelayConnection first = relay.connections().get(0);
        first.cut(Cut.RST);
        await().until(() ->
                relay.connections().size() == 1 && relay.connections().get(0) != first);
        RelayConnection old = relay.connections().get(0);
        CompletableFuture<RelayConnection> sent = old.holdWhen(Direction.REQUESTS, FaultTest::isAcquire);
        CompletableFuture<LockHandle> lock = await().until(
                        () -> client.acquireAsync(once("42").withTtl(TWO_HOURS)), tried -> {
                            CompletableFuture.anyOf(sent, tried)
                                    .exceptionally(notConnected -> null)
                                    .join();
                            return sent.isDone();
                        });
        old.cutClientSide(Cut.RST);
        lock.thenAccept(LockHandle::release).exceptionally(failed -> null).join();
        awaitClean();
        old.deliver(Direction.REQUESTS);
        await().until(() -> !relay.connections().contains(old));
        awaitTheServerHasDroppedEndedConnections();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void aLockIsUsableAtOnceAfterAServerHung() {
        client = client(relay.uri(), Duration.ofSeconds(9), Duration.ofSeconds(3));
        warmUp(client);
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
