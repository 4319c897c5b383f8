package io.distributedlock.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.server.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A server that lives for the class and a relay to it that lives for a test. */
class RelayFixture {
    static RedisServer server;
    Relay relay;

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

    /** A new connection fails, be it while it is made or when it is used. */
    static void assertNoService(Relay behind) {
        assertThatThrownBy(() -> {
                    try (RespClient refused = RespClient.connect(behind.port())) {
                        refused.command("PING");
                    }
                })
                .isInstanceOf(UncheckedIOException.class);
    }

    static ConditionFactory eventually() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    RespClient client() {
        return client(Duration.ofSeconds(20));
    }

    RespClient client(Duration timeout) {
        return RespClient.connect(relay.port(), timeout);
    }

    void awaitKept(Direction direction) {
        eventually().until(() -> relay.kept(direction) > 0);
    }

    /** One of them is that of the question itself. */
    static void awaitConnectionsAtServer(int count) {
        eventually()
                .untilAsserted(() -> assertThat(
                                String.valueOf(server.command("CLIENT", "LIST")).lines())
                        .hasSize(count));
    }
}
