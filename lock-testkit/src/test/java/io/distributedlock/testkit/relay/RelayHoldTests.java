package io.distributedlock.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.resp.RespClient;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayHoldTests extends RelayFixture {
    @Test
    void aHeldReplyIsLostWithAnOrderlyEndThoughTheServerHasExecutedTheRequest() {
        try (RespClient client = client()) {
            relay.hold(Direction.REPLIES);
            client.send("SET", "k", "v");
            awaitKept(Direction.REPLIES);

            relay.cut(Cut.FIN);

            assertThatThrownBy(client::receive).hasCauseInstanceOf(EOFException.class);
            assertThat(server.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aHeldReplyIsLostWithAReset() {
        try (RespClient client = client()) {
            relay.hold(Direction.REPLIES);
            client.send("SET", "k", "v");
            awaitKept(Direction.REPLIES);

            relay.cut(Cut.RST);

            assertThatThrownBy(client::receive)
                    .hasCauseInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
            assertThat(server.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void aHeldReplyIsKeptAndDeliveredLate() {
        try (RespClient client = client(Duration.ofMillis(200));
                RespClient patient = client()) {
            relay.hold(Direction.REPLIES);
            patient.send("INCR", "counter");
            patient.send("INCR", "counter");
            assertThatThrownBy(() -> client.command("PING")).hasCauseInstanceOf(SocketTimeoutException.class);

            relay.deliver(Direction.REPLIES);

            assertThat(patient.receive()).isEqualTo(1L);
            assertThat(patient.receive()).isEqualTo(2L);
            assertThat(patient.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aHeldRequestDoesNotReachTheServerAndIsGoneAfterACut() {
        try (RespClient client = client()) {
            relay.hold(Direction.REQUESTS);
            client.send("SET", "k", "v");
            awaitKept(Direction.REQUESTS);

            relay.cut(Cut.RST);
            relay.deliver(Direction.REQUESTS);

            awaitConnectionsAtServer(1);
            assertThat(server.command("GET", "k")).isNull();
            assertThat(relay.kept(Direction.REQUESTS)).isZero();
        }
    }

    @Test
    void aRequestKeptWhenItsClientWasCutOffIsExecutedLate() {
        for (Cut cut : Cut.values()) {
            try (RespClient client = client();
                    RespClient next = client()) {
                assertThat(next.command("PING")).isEqualTo("PONG");
                RelayConnection first = relay.connections().get(0);
                first.hold(Direction.REQUESTS);
                client.send("SET", "k", "late " + cut);
                first.cutClientSide(cut);

                assertThatThrownBy(client::receive).isInstanceOf(UncheckedIOException.class);
                next.command("DEL", "k");
                assertThat(next.command("GET", "k")).isNull();
                first.deliver(Direction.REQUESTS);

                eventually()
                        .untilAsserted(
                                () -> assertThat(next.command("GET", "k")).isEqualTo("late " + cut));
                eventually().untilAsserted(() -> assertThat(relay.connections()).hasSize(1));
            }
            awaitConnectionsAtServer(1);
        }
    }

    @Test
    void aRequestKeptWhenItsClientLeftIsExecutedLate() {
        relay.hold(Direction.REQUESTS);
        try (RespClient client = client()) {
            client.send("SET", "k", "late");
            awaitKept(Direction.REQUESTS);
        }
        assertThat(server.command("GET", "k")).isNull();

        relay.deliver(Direction.REQUESTS);

        eventually().untilAsserted(() -> assertThat(server.command("GET", "k")).isEqualTo("late"));
        eventually().untilAsserted(() -> assertThat(relay.connections()).isEmpty());
    }

    @Test
    void newConnectionsAreHeldAsWell() {
        relay.hold(Direction.REQUESTS);
        try (RespClient client = client()) {
            client.send("SET", "k", "v");
            awaitKept(Direction.REQUESTS);
            assertThat(server.command("EXISTS", "k")).isEqualTo(0L);
            relay.deliver(Direction.REQUESTS);
            assertThat(client.receive()).isEqualTo("OK");
        }
    }

    @Test
    void theEndOfAHeldClientReachesTheServerOnlyBehindItsRequests() {
        relay.hold(Direction.REQUESTS);
        client().close();
        awaitConnectionsAtServer(2);
        relay.cutClientSide(Cut.FIN);
        assertThat(relay.connections()).hasSize(1);
        awaitConnectionsAtServer(2);

        relay.deliver(Direction.REQUESTS);
        awaitConnectionsAtServer(1);
    }
}
