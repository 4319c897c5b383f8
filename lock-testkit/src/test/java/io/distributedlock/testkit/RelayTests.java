package io.distributedlock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTests {
    private static RedisServer server;
    private Relay relay;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void startRelay() {
        server.command("FLUSHALL");
        relay = Relay.to(server.port());
    }

    @AfterEach
    void closeRelay() {
        relay.close();
    }

    @Test
    void anUndisturbedRelayIsTransparent() {
        try (RespClient client = client()) {
            String large = "x".repeat(3 << 20);
            assertThat(client.command("SET", "k", large)).isEqualTo("OK");
            assertThat(client.command("GET", "k")).isEqualTo(large);
            assertThat(client.command("EVAL", "return {1, {2}, 'three'}", "0"))
                    .isEqualTo(List.of(1L, List.of(2L), "three"));
        }
    }

    @Test
    void manyPipelinedRequestsComeThroughInOrder() {
        try (RespClient client = client()) {
            IntStream.range(0, 20_000).forEach(i -> client.send("INCR", "counter"));
            for (long i = 1; i <= 20_000; i++) {
                assertThat(client.receive()).isEqualTo(i);
            }
        }
    }

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

            awaitNoConnectionAtServer();
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
            awaitNoConnectionAtServer();
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
    void theReplyToTheAwaitedRequestIsHeldEachTime() {
        for (int i = 0; i < 300; i++) {
            int round = i;
            try (RespClient client = client()) {
                CompletableFuture<RelayConnection> seen =
                        relay.holdWhen(Direction.REPLIES, request -> request.equals("SET k " + round));
                client.send("INCR", "before");
                client.send("SET", "k", Integer.toString(round));
                RelayConnection connection = seen.join();
                eventually()
                        .untilAsserted(
                                () -> assertThat(server.command("GET", "k")).isEqualTo(Integer.toString(round)));
                assertThat(relay.connections()).containsExactly(connection);
                connection.cut(round % 2 == 0 ? Cut.FIN : Cut.RST);
                relay.deliver(Direction.REPLIES);
                assertThatThrownBy(() -> {
                            client.receive();
                            client.receive();
                        })
                        .as("round %d: at most the reply to INCR was delivered", round)
                        .isInstanceOf(UncheckedIOException.class);
            }
        }
    }

    @Test
    void theAwaitedRequestItselfIsHeldWhileEarlierOnesPass() {
        try (RespClient client = client()) {
            CompletableFuture<RelayConnection> seen =
                    relay.holdWhen(Direction.REQUESTS, request -> request.startsWith("SET "));
            client.send("INCR", "counter");
            client.send("SET", "k", "v");
            client.send("INCR", "counter");

            assertThat(client.receive()).isEqualTo(1L);
            seen.join();
            awaitKept(Direction.REQUESTS);
            assertThat(server.command("EXISTS", "k")).isEqualTo(0L);
            assertThat(server.command("GET", "counter")).isEqualTo("1");

            relay.deliver(Direction.REQUESTS);
            assertThat(client.receive()).isEqualTo("OK");
            assertThat(client.receive()).isEqualTo(2L);
        }
    }

    @Test
    void requestsThatArriveTogetherAreHeldOneByOne() throws Exception {
        try (RawClient client = new RawClient(relay.port())) {
            CompletableFuture<RelayConnection> seen =
                    relay.holdWhen(Direction.REQUESTS, request -> request.equals("SET k v"));
            client.send("*2\r\n$4\r\nINCR\r\n$1\r\nc\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n");
            assertThat(client.awaitText(":1\r\n")).isEqualTo(":1\r\n");
            seen.join();
            assertThat(server.command("EXISTS", "k")).isEqualTo(0L);

            relay.deliver(Direction.REQUESTS);
            assertThat(client.awaitText("+OK\r\n")).isEqualTo("+OK\r\n");
        }
    }

    @Test
    void oneConnectionIsHeldByARequestWhileAnotherPasses() {
        try (RespClient first = client();
                RespClient second = client()) {
            assertThat(first.command("PING")).isEqualTo("PONG");
            CompletableFuture<RelayConnection> seen =
                    relay.connections().get(0).holdWhen(Direction.REPLIES, request -> request.startsWith("SET"));
            assertThat(second.command("SET", "k", "second")).isEqualTo("OK");
            assertThat(seen).isNotDone();

            first.send("SET", "k", "first");
            seen.join().cut(Cut.FIN);

            assertThatThrownBy(first::receive).isInstanceOf(UncheckedIOException.class);
            assertThat(second.command("GET", "k")).isEqualTo("first");
        }
    }

    @Test
    void aDelayIsAddedToEachDirection() {
        try (RespClient client = client()) {
            relay.delay(Direction.REQUESTS, Duration.ofMillis(60));
            relay.delay(Direction.REPLIES, Duration.ofMillis(40));
            long begin = System.nanoTime();
            IntStream.range(0, 10).forEach(i -> client.send("INCR", "counter"));
            IntStream.range(0, 10).forEach(i -> assertThat(client.receive()).isEqualTo(i + 1L));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        }
    }

    @Test
    void refusedConnectionsEndAtOnceWhileOldOnesGoOn() {
        try (RespClient old = client()) {
            assertThat(old.command("PING")).isEqualTo("PONG");
            relay.refuse(true);
            assertNoService(relay);
            assertThat(old.command("PING")).isEqualTo("PONG");

            relay.refuse(false);
            try (RespClient accepted = client()) {
                assertThat(accepted.command("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void theEndOfTheServerReachesTheClientAndTheRelayOutlivesIt() {
        try (RedisServer mortal = RedisServer.start();
                Relay toMortal = Relay.to(mortal.port());
                RespClient client = RespClient.connect(toMortal.port())) {
            assertThat(client.command("PING")).isEqualTo("PONG");
            mortal.kill();
            assertThatThrownBy(() -> client.command("PING")).isInstanceOf(UncheckedIOException.class);
            assertNoService(toMortal);
            mortal.restart();
            try (RespClient again = RespClient.connect(toMortal.port())) {
                assertThat(again.command("PING")).isEqualTo("PONG");
            }
            eventually().untilAsserted(() -> assertThat(toMortal.connections()).isEmpty());
        }
    }

    @Test
    void aClosedRelayLeavesNoThreadAndRefusesWishes() {
        int port = relay.port();
        relay.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("testkit-relay-" + port);
        assertThatThrownBy(() -> relay.hold(Direction.REPLIES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    /** A new connection fails, be it while it is made or when it is used. */
    private static void assertNoService(Relay behind) {
        assertThatThrownBy(() -> {
                    try (RespClient refused = RespClient.connect(behind.port())) {
                        refused.command("PING");
                    }
                })
                .isInstanceOf(UncheckedIOException.class);
    }

    private static ConditionFactory eventually() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    private RespClient client() {
        return client(Duration.ofSeconds(20));
    }

    private RespClient client(Duration timeout) {
        return RespClient.connect(relay.port(), timeout);
    }

    private void awaitKept(Direction direction) {
        eventually().until(() -> relay.kept(direction) > 0);
    }

    private static void awaitNoConnectionAtServer() {
        eventually()
                .untilAsserted(() -> assertThat(
                                String.valueOf(server.command("CLIENT", "LIST")).lines())
                        .hasSize(1));
    }
}
