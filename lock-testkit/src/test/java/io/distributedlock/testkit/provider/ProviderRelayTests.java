package io.distributedlock.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderRelayTests {
    private static final Profile BARE = new Profile("bare", List.of());
    private static final String OWN_NAMES = "return {KEYS[1], ARGV[1], redis.sha1hex(''), redis.call('PING').ok}";
    private static final Object OWN_NAMES_REPLY = List.of("k", "a", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "PONG");

    private static RedisServer server;
    private @Nullable ProviderRelay relay;
    private @Nullable RespClient client;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void forgetAll() {
        server.command("FLUSHALL");
        server.command("SCRIPT", "FLUSH");
    }

    @AfterEach
    void closeRelay() {
        if (client != null) {
            client.close();
        }
        if (relay != null) {
            relay.close();
        }
    }

    private ProviderRelay behind(Profile profile) {
        ProviderRelay started = ProviderRelay.to(server.port(), profile);
        relay = started;
        client = RespClient.connect(started.port());
        return started;
    }

    private @Nullable Object command(String... words) {
        assertThat(client).isNotNull();
        return client.command(words);
    }

    private String refusal(String... words) {
        try {
            return "answered: " + command(words);
        } catch (RespError refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    static List<Profile> profilesThatRewriteScripts() {
        return List.of(
                BARE, Profiles.ELASTICACHE_SERVERLESS, Profiles.DRAGONFLY, Profiles.GARNET, Profiles.HUAWEI_PROXY);
    }

    @ParameterizedTest
    @MethodSource("profilesThatRewriteScripts")
    void aScriptIsCalledByTheDigestThatItsClientKnows(Profile profile) {
        behind(profile);
        Object digest = command("SCRIPT", "LOAD", OWN_NAMES);
        assertThat(digest).isEqualTo(server.command("SCRIPT", "LOAD", OWN_NAMES));

        assertThat(command("EVALSHA", String.valueOf(digest), "1", "k", "a")).isEqualTo(OWN_NAMES_REPLY);
        assertThat(command("SCRIPT", "EXISTS", String.valueOf(digest), "0".repeat(40)))
                .isEqualTo(List.of(1L, 0L));
    }

    @ParameterizedTest
    @MethodSource("profilesThatRewriteScripts")
    void aScriptThatWasSentWithItsCallIsKnownFromThenOn(Profile profile) {
        behind(profile);
        String digest = String.valueOf(server.command("SCRIPT", "LOAD", OWN_NAMES));

        assertThat(refusal("EVALSHA", digest, "1", "k", "a")).startsWith("NOSCRIPT");
        assertThat(command("EVAL", OWN_NAMES, "1", "k", "a")).isEqualTo(OWN_NAMES_REPLY);
        assertThat(command("EVALSHA", digest, "1", "k", "a")).isEqualTo(OWN_NAMES_REPLY);
    }

    @ParameterizedTest
    @MethodSource("profilesThatRewriteScripts")
    void aScriptThatTheServerHasForgottenIsUnknown(Profile profile) {
        behind(profile);
        String digest = String.valueOf(command("SCRIPT", "LOAD", OWN_NAMES));
        server.command("SCRIPT", "FLUSH");
        assertThat(refusal("EVALSHA", digest, "1", "k", "a")).startsWith("NOSCRIPT");
        command("SCRIPT", "LOAD", OWN_NAMES);
        command("SCRIPT", "FLUSH");
        assertThat(refusal("EVALSHA", digest, "1", "k", "a")).startsWith("NOSCRIPT");
    }

    @Test
    void aScriptThatDoesNotCompileIsRefusedByTheServer() {
        behind(Profiles.GARNET);
        assertThat(refusal("SCRIPT", "LOAD", "not Lua")).startsWith("ERR Error compiling script");
        assertThat(refusal("EVAL", "not Lua", "0")).startsWith("ERR Error compiling script");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EVAL", "EVALSHA", "SCRIPT", "COMMAND"})
    void aCommandWithoutItsArgumentsIsAnsweredByTheServer(String name) {
        behind(Profiles.ALIBABA_PROXY);
        refusal(name);
        assertThat(command("PING")).isEqualTo("PONG");
    }

    @Test
    void aProtectedCallInAScriptReturnsTheRefusal() {
        behind(Profiles.GARNET);
        assertThat(command("EVAL", "return redis.pcall('PUBLISH', 'c', 'm').err", "1", "k"))
                .isEqualTo("ERR PUBLISH is disabled");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // As the thread shows that lays down the rule, a key may be changed in its place.
                "KEYS[1] = KEYS[1] .. ':1' redis.call('SET', KEYS[1], 1) return 'taken'",
                "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 'taken'",
                "local t = redis.call('TIME') redis.call('DEL', KEYS[1], KEYS[2]) return 'taken'",
                "-- redis.call('GET', key)\nlocal s = \"redis.call('GET', key)\" return 'taken'",
                "return redis.pcall('ZADD', KEYS[1], 'NX', 1, ARGV[1]) == 1 and 'taken'",
            })
    void theProxyOfAlibabaTakesScriptsThatNameTheirKeys(String script) {
        behind(Profiles.ALIBABA_PROXY);
        assertThat(command("EVAL", script, "2", "{k}", "{k}2", "a")).isEqualTo("taken");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local key = KEYS[1] return redis.call('GET', key)",
                "return redis.call('GET', 'k')",
                "return redis.call('DEL', KEYS[1], ARGV[1])",
                "return redis.call('GET', KEYS[1] .. ':r')",
                "for i = 1, #KEYS do redis.call('DEL', KEYS[i]) end",
            })
    void theProxyOfAlibabaRefusesOtherKeysAlsoWhenAScriptIsLoaded(String script) {
        ProviderRelay behind = behind(Profiles.ALIBABA_PROXY);
        assertThat(refusal("EVAL", script, "1", "k")).contains("passed using the KEYS array");
        assertThat(refusal("SCRIPT", "LOAD", script)).contains("passed using the KEYS array");
        assertThat(behind.refusals(rule(Profiles.ALIBABA_PROXY, "keys in a call are KEYS[n]")))
                .isEqualTo(2);
    }

    /** What a call by another name touches can't be seen in the text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "local call = redis.call return call('GET', KEYS[1])",
                "local pcall = redis.pcall return pcall('GET', KEYS[#KEYS])",
            })
    void theProxyOfAlibabaRefusesToHaveItsCallsRenamed(String script) {
        behind(Profiles.ALIBABA_PROXY);
        assertThat(refusal("EVAL", script, "1", "k")).contains("must be a single literal string");
    }

    @Test
    void theProxyOfAlibabaEndsConnectionsByAddress() {
        behind(Profiles.ALIBABA_PROXY);
        assertThat(command("CLIENT", "KILL", "ADDR", "127.0.0.1:1")).isEqualTo(0L);
        assertThat(refusal("CLIENT", "KILL", "127.0.0.1:1")).isEqualTo("ERR No such client");
        assertThat(refusal("CLIENT", "KILL", "ID", "1", "ADDR", "127.0.0.1:1")).isEqualTo("ERR syntax error");
    }

    @Test
    void aScriptOnElastiCacheServerlessReachesSubscribersInItsOwnSlot() {
        behind(Profiles.ELASTICACHE_SERVERLESS);
        try (RespClient subscriber = RespClient.connect(server.port())) {
            subscriber.command("SUBSCRIBE", "grants:{k}");
            assertThat(command("EVAL", "return redis.call('PUBLISH', 'grants:{k}', 'm')", "1", "lock:{k}"))
                    .isEqualTo(1L);
            assertThat(subscriber.receive()).isEqualTo(List.of("message", "grants:{k}", "m"));
        }
    }

    @Test
    void aScriptOnDragonflyTouchesWhatItDeclares() {
        behind(Profiles.DRAGONFLY);
        String script = "redis.call('TIME') redis.call('SET', KEYS[1], 1) return redis.call('DEL', KEYS[2], KEYS[1])";
        assertThat(command("EVAL", script, "2", "a", "b")).isEqualTo(1L);
        assertThat(refusal("EVAL", "return redis.call('DEL', KEYS[1], 'b')", "1", "a"))
                .contains("undeclared key, key: b");
    }

    @Test
    void theCommandsOfTairCompareTheValue() {
        behind(Profiles.TAIR_COMMANDS);
        command("SET", "k", "v");
        assertThat(command("CAS", "k", "other", "w", "PX", "30000")).isEqualTo(0L);
        assertThat(command("CAS", "k", "v", "w", "PX", "30000")).isEqualTo(1L);
        assertThat(server.command("GET", "k")).isEqualTo("w");
        assertThat((Long) server.command("PTTL", "k")).isPositive();
        assertThat(command("CAD", "k", "v")).isEqualTo(0L);
        assertThat(command("CAD", "k", "w")).isEqualTo(1L);
        assertThat(command("CAD", "k", "w")).isEqualTo(-1L);
    }

    @Test
    void theCommandsOfRedis84CompareTheValue() {
        behind(Profiles.REDIS_8_4_COMMANDS);
        assertThat(command("SET", "k", "v", "NX", "PX", "30000")).isEqualTo("OK");
        assertThat(command("SET", "k", "w", "IFEQ", "other", "PX", "60000")).isNull();
        assertThat(command("SET", "k", "w", "PX", "60000", "ifeq", "v")).isEqualTo("OK");
        assertThat((Long) server.command("PTTL", "k")).isGreaterThan(30_000);
        assertThat(command("DELEX", "k", "IFEQ", "v")).isEqualTo(0L);
        assertThat(command("DELEX", "k", "IFEQ", "w")).isEqualTo(1L);
    }

    @Test
    void addedCommandsAreDescribedLikeThoseOfTheServer() {
        behind(Profiles.NO_SCRIPTS.with(Profiles.REDIS_8_4_COMMANDS));
        List<?> described = (List<?>) command("COMMAND", "INFO", "DELIFEQ", "DELEX", "GET");
        assertThat(described).hasSize(3);
        assertThat(described.get(0)).isNull();
        assertThat(described.get(1)).isEqualTo(Arrays.asList("delex", -2L, List.of("write"), 1L, 1L, 1L));
        assertThat(described.get(2)).asString().startsWith("[get, 2");
        assertThat(refusal("EVAL", "return 1", "0")).isEqualTo("ERR unknown command 'eval'");
        assertThat(command("DELEX", "k", "IFEQ", "v")).isEqualTo(0L);
    }

    @Test
    void openConnectionsMeetTheRulesOfTheNodeThatTookOver() {
        ProviderRelay behind = behind(BARE);
        String script = "local key = KEYS[1] return redis.call('GET', key)";
        String digest = String.valueOf(command("SCRIPT", "LOAD", script));
        command("SET", "k", "v");
        assertThat(command("EVALSHA", digest, "1", "k")).isEqualTo("v");

        behind.failOverTo(Profiles.ALIBABA_PROXY);
        assertThat(command("GET", "k")).isEqualTo("v");
        assertThat(refusal("EVALSHA", digest, "1", "k")).startsWith("NOSCRIPT");
        assertThat(refusal("EVAL", script, "1", "k")).contains("passed using the KEYS array");

        behind.failOverTo(BARE);
        assertThat(command("EVAL", script, "1", "k")).isEqualTo("v");
    }

    @Test
    void answersKeepTheirPlaceAmongPipelinedReplies() {
        behind(Profiles.GARNET.with(Profiles.NO_RIGHT_TO_SCRIPTS));
        assertThat(client).isNotNull();
        for (int i = 0; i < 200; i++) {
            client.send("INCR", "c");
            client.send("EVAL", "return 1", "0");
        }
        for (long i = 1; i <= 200; i++) {
            assertThat(client.receive()).isEqualTo(i);
            assertThatThrownBy(client::receive).hasMessageStartingWith("NOPERM");
        }
    }

    private static Rule rule(Profile profile, String name) {
        return profile.rules().stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
