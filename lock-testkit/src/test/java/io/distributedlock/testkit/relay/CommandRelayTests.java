package io.distributedlock.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandRelayTests {
    private static RedisServer server;
    private CommandRelay relay;
    private RespClient client;

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
        relay = CommandRelay.to(server.port());
        client = RespClient.connect(relay.port());
    }

    @AfterEach
    void closeRelay() {
        client.close();
        relay.close();
    }

    @Test
    void aMatchingCommandIsAnsweredInsteadOfTheServer() {
        relay.answer(command -> command.get(0).equals("SET"), "-ERR unknown command 'SET'\r\n");

        assertThatThrownBy(() -> client.command("SET", "k", "v"))
                .isInstanceOf(RespError.class)
                .hasMessage("ERR unknown command 'SET'");
        assertThat(server.command("EXISTS", "k")).isEqualTo(0L);

        relay.clearAnswers();
        assertThat(client.command("SET", "k", "v")).isEqualTo("OK");
    }

    @Test
    void anAnswerIsGivenAsOftenAsWanted() {
        relay.answer(command -> command.get(0).equals("INCR"), ":100\r\n", 2);

        assertThat(List.of(client.command("INCR", "c"), client.command("INCR", "c"), client.command("INCR", "c")))
                .isEqualTo(List.of(100L, 100L, 1L));
    }

    @Test
    void answersKeepTheirPlaceAmongPipelinedReplies() {
        relay.answer(command -> command.get(0).equals("GET"), "+mine\r\n");
        List<@Nullable Object> wanted = new ArrayList<>();
        for (long i = 1; i <= 500; i++) {
            client.send("INCR", "c");
            client.send("GET", "c");
            client.send("EVAL", "return {1, {'a', 2}, 3}", "0");
            wanted.addAll(List.of(i, "mine", List.of(1L, List.of("a", 2L), 3L)));
        }
        assertThat(replies(wanted.size())).isEqualTo(wanted);
    }

    @Test
    void anAnswerWaitsForASlowReplyBeforeIt() {
        relay.answer(command -> command.get(0).equals("GET"), "+mine\r\n");
        client.send("BLPOP", "list", "0");
        client.send("GET", "k");
        assertThat(client.isOpen()).isTrue();
        server.command("RPUSH", "list", "x");

        assertThat(replies(2)).isEqualTo(List.of(List.of("list", "x"), "mine"));
    }

    @Test
    void subscriptionsAndMessagesDoNotShiftLaterAnswers() {
        relay.answer(command -> command.get(0).equals("PING"), "+mine\r\n");
        client.send("SUBSCRIBE", "a", "b");
        client.send("PING");
        client.send("UNSUBSCRIBE", "a");
        client.send("PING");

        assertThat(replies(5))
                .isEqualTo(List.of(
                        List.of("subscribe", "a", 1L),
                        List.of("subscribe", "b", 2L),
                        "mine",
                        List.of("unsubscribe", "a", 1L),
                        "mine"));
    }

    @Test
    void pushesOfResp3AreNotCountedAsReplies() throws Exception {
        relay.answer(command -> command.get(0).equals("GET"), "+mine\r\n");
        try (RawClient raw = new RawClient(relay.port())) {
            raw.send("*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n");
            raw.awaitText("modules");
            raw.send("*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n");
            assertThat(raw.awaitText("+PONG\r\n"))
                    .endsWith(">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n+mine\r\n+PONG\r\n");

            raw.send("*3\r\n$5\r\nBLPOP\r\n$4\r\nlist\r\n$1\r\n0\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
            server.command("PUBLISH", "a", "hello");
            raw.awaitText("hello\r\n");
            server.command("RPUSH", "list", "x");
            assertThat(raw.awaitText("+mine\r\n")).isEqualTo("*2\r\n$4\r\nlist\r\n$1\r\nx\r\n+mine\r\n");
        }
    }

    @Test
    void aRefusedSubscriptionDoesNotShiftLaterAnswers() {
        server.command("ACL", "SETUSER", "narrow", "on", "nopass", "+@all", "~*", "resetchannels");
        relay.answer(command -> command.get(0).equals("GET"), "+mine\r\n");
        client.send("AUTH", "narrow", "x");
        client.send("SUBSCRIBE", "a", "b");
        client.send("GET", "k");

        assertThat(client.receive()).isEqualTo("OK");
        assertThatThrownBy(client::receive).isInstanceOf(RespError.class).hasMessageContaining("NOPERM");
        assertThat(client.receive()).isEqualTo("mine");
    }

    @Test
    void commandsAreCountedByName() {
        client.command("SET", "k", "v");
        client.command("set", "k", "v");
        client.command("GET", "k");

        assertThat(relay.count("SET")).isEqualTo(2);
        assertThat(relay.count("get")).isEqualTo(1);
        assertThat(relay.count("EVALSHA")).isZero();
        assertThat(relay.count()).isEqualTo(3);
    }

    @Test
    void anAnswerCanBeHeldLikeAnyReply() {
        relay.answer(command -> command.get(0).equals("GET"), "+mine\r\n");
        relay.relay().hold(Direction.REPLIES);
        client.send("GET", "k");
        await().until(() -> relay.relay().kept(Direction.REPLIES) > 0);
        relay.relay().deliver(Direction.REPLIES);
        assertThat(client.receive()).isEqualTo("mine");
    }

    private List<@Nullable Object> replies(int count) {
        List<@Nullable Object> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replies.add(client.receive());
        }
        return replies;
    }
}
