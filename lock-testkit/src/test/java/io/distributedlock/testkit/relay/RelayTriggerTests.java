package io.distributedlock.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.resp.RespClient;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RelayTriggerTests extends RelayFixture {
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
    void aWithdrawnWishHoldsNothing() {
        try (RespClient client = client()) {
            CompletableFuture<RelayConnection> wish = relay.holdWhen(Direction.REPLIES, request -> true);
            assertThat(wish.cancel(false)).isTrue();
            assertThat(client.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aWishIsFulfilledOnce() {
        try (RespClient client = client()) {
            CompletableFuture<RelayConnection> seen = relay.holdWhen(Direction.REPLIES, request -> true);
            client.send("PING");
            seen.join().deliver(Direction.REPLIES);
            relay.deliver(Direction.REPLIES);
            assertThat(client.receive()).isEqualTo("PONG");
            assertThat(client.command("PING")).isEqualTo("PONG");
        }
    }
}
