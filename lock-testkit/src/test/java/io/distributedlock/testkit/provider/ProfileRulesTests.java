package io.distributedlock.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.testkit.provider.Rule.Effect;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of each profile shows, and shows nowhere but behind its profile. */
class ProfileRulesTests {
    private static RedisServer server;
    private static RespClient subscriber;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        subscriber = RespClient.connect(server.port());
        subscriber.command("SUBSCRIBE", "heard");
    }

    @AfterAll
    static void stop() {
        subscriber.close();
        server.close();
    }

    static Stream<Arguments> rules() {
        return Profiles.all().stream()
                .flatMap(profile -> profile.rules().stream().map(rule -> Arguments.of(profile, rule)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rules")
    void aRuleAnswersItsExampleAndTheBareServerAnswersOtherwise(Profile profile, Rule rule) {
        assertShows(profile, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rules")
    void aRuleNamesItsSource(Profile profile, Rule rule) {
        assertThat(rule.source()).as(profile.name()).contains(".");
        assertThat(rule.readOn()).isAfter(LocalDate.of(2026, 11, 1));
        assertThat(rule.answer()).isNotBlank();
    }

    @Test
    void noProfileIsLeftOut() throws IllegalAccessException {
        List<Profile> declared = new ArrayList<>();
        for (Field field : Profiles.class.getFields()) {
            declared.add((Profile) field.get(null));
        }
        assertThat(declared).filteredOn(profile -> !profile.rules().isEmpty()).isEqualTo(Profiles.all());
    }

    @Test
    void aRuleThatRefusesNothingIsFound() {
        Rule idle = new Rule(
                "idle",
                "example.com",
                LocalDate.of(2026, 11, 23),
                new Effect.Commands(words -> false),
                "ERR refused",
                false,
                List.of("PING"));
        Profile profile = new Profile("idle", List.of(idle));
        assertThatThrownBy(() -> assertShows(profile, idle)).isInstanceOf(AssertionError.class);
    }

    private static void assertShows(Profile profile, Rule rule) {
        String answer = rule.answerTo(rule.example());
        try (ProviderRelay relay = ProviderRelay.to(server.port(), profile)) {
            assertThat(reply(relay.port(), rule.example()))
                    .as("behind the relay")
                    .startsWith(answer);
        }
        String bare = reply(server.port(), rule.example());
        assertThat(bare).as("at the bare server").doesNotStartWith(answer);
        if (!(rule.effect() instanceof Effect.Addition)) {
            assertThat(bare).as("at the bare server").doesNotStartWith("ERR").doesNotStartWith("NO");
        }
    }

    private static String reply(int port, List<String> command) {
        try (RespClient client = RespClient.connect(port)) {
            return String.valueOf(client.command(command.toArray(String[]::new)));
        } catch (RespError refused) {
            return String.valueOf(refused.getMessage());
        } catch (UncheckedIOException resp3) {
            return "a reply in RESP3";
        }
    }
}
