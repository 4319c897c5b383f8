package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.script.LuaScript;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a strict proxy reads in the texts that are sent: every key stands where a command takes it as {@code KEYS[n]}, a
 * number. Alibaba's proxy, for one, refuses Lua variables and expressions there, {@code unpack}, and messages in
 * scripts: help page "Usage of Lua scripts", read in November 2026.
 */
class ScriptTextsTest {

    private static final Set<String> WITHOUT_KEY = Set.of("TIME", "INFO", "PUBSUB", "PUBLISH");
    private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\((?:'(\\w+)'(?:, ([^,)]+))?)?");
    private static final Pattern PLACE = Pattern.compile("KEYS\\[([^]]*)]");

    private static final Map<String, LuaScript> SCRIPTS = scripts();

    static Stream<String> names() {
        return SCRIPTS.keySet().stream();
    }

    private static Map<String, LuaScript> scripts() {
        Map<String, LuaScript> all = new TreeMap<>();
        Stream.of(AcquireCommands.class, ExtendCommands.class, ReleaseCommands.class, RedisLockStore.class)
                .flatMap(type -> Stream.of(type.getDeclaredFields()))
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .forEach(field -> collect(field.getName(), value(field), all));
        return all;
    }

    private static void collect(String name, Object value, Map<String, LuaScript> all) {
        if (value instanceof LuaScript script) {
            all.put(name, script);
        } else if (value instanceof Map<?, ?> map) {
            Collection<?> values = map.values();
            values.forEach(each -> collect(name + all.size(), each, all));
        }
    }

    private static Object value(Field field) {
        try {
            field.setAccessible(true);
            return field.get(null);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void allOfThemAreRead() {
        assertThat(SCRIPTS)
                .containsKeys("ACQUIRE", "SHARE", "RELEASE", "FREE", "EXTEND", "EXTEND_ALL", "FIND", "DRAW_TOKEN");
        assertThat(SCRIPTS.values())
                .anySatisfy(script -> assertThat(script.text()).contains("redis.call('DEL', KEYS[1])"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyKeyOfACommandIsOneOfKeysByItsNumber(String name) {
        String text = text(name);
        assertThat(COMMAND.matcher(text).results()).isNotEmpty().allSatisfy(command -> {
            assertThat(command.group(1)).as(text.substring(command.start())).isNotNull();
            if (!WITHOUT_KEY.contains(command.group(1))) {
                assertThat(command.group(2)).as(command.group()).matches("KEYS\\[\\d+]");
            }
        });
        if (!name.startsWith("EXTEND_ALL")) {
            assertThat(PLACE.matcher(text).results().map(place -> place.group(1)))
                    .allMatch(place -> place.matches("\\d+"));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void noneUnpacksItsArguments(String name) {
        assertThat(text(name)).doesNotContain("unpack").doesNotContain("loadstring");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ACQUIRE",
                "SHARE_UNQUEUED",
                "EXTEND",
                "EXTEND_SHARE",
                "EXTEND_ALL",
                "FREE",
                "FREE_SHARE",
                "KEEP",
                "FIND",
                "DRAW_TOKEN"
            })
    void whatDoesWithoutTheQueueSendsNoMessages(String name) {
        assertThat(text(name)).doesNotContain("PUB").doesNotContain("pub");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXTEND", "DRAW_TOKEN", "KEEP"})
    void whatIsAboutTheLockAloneHasNoOtherKey(String name) {
        assertThat(PLACE.matcher(text(name)).results().map(MatchResult::group).distinct())
                .containsAnyOf("KEYS[1]")
                .doesNotContain("KEYS[3]", "KEYS[4]");
    }

    private static String text(String name) {
        LuaScript script = SCRIPTS.get(name);
        assertThat(script).as(name).isNotNull();
        return script.text();
    }
}
