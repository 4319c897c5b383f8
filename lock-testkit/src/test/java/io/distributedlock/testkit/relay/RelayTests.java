package io.distributedlock.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.server.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RelayTests extends RelayFixture {
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

    @Test
    void bytesThatAreNotRespPassAndCanBeHeld() throws Exception {
        try (RawClient client = new RawClient(relay.port())) {
            CompletableFuture<RelayConnection> seen =
                    relay.holdWhen(Direction.REPLIES, request -> request.equals("SET k v\r\n"));
            client.send("PING\r\n");
            assertThat(client.awaitText("\r\n")).isEqualTo("+PONG\r\n");
            client.send("SET k v\r\n");
            assertThat(seen.join().kept(Direction.REQUESTS)).isZero();
            eventually()
                    .untilAsserted(() -> assertThat(server.command("GET", "k")).isEqualTo("v"));

            relay.deliver(Direction.REPLIES);
            assertThat(client.awaitText("\r\n")).isEqualTo("+OK\r\n");
        }
    }
}
