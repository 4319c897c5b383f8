package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.script.LuaScript;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
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
    private static final Pattern COMMAND =
            Pattern.compile("(?<![\\w.])(?:redis\\.)?p?call\\((?:'(\\w+)'(?:, ([^,)]+))?)?");
    /** Sent only where the server accepts them; each has a lesser form without. */
    private static final Set<String> BATCHES = Set.of("EXTEND_ALL", "EXTEND_ALL_SHARES");

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

    @Test
    void noScriptOfTheLibraryIsLeftOut() throws Exception {
        Path folder =
                Path.of(LuaScript.class.getResource("acquire.lua").toURI()).getParent();
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".lua"))
                    .map(name -> name.replace(".lua", ""))
                    .toList();
            assertThat(names).contains("acquire", "batch").allSatisfy(name -> {
                String text = LuaScript.named(name).text();
                assertThat(SCRIPTS.values())
                        .anySatisfy(script -> assertThat(script.text()).contains(text));
            });
        }
    }

    @Test
    void noKeyButThoseOfABatchIsComputed() {
        assertThat(SCRIPTS.keySet())
                .filteredOn(name -> COMMAND.matcher(text(name)).results().anyMatch(ScriptTextsTest::hasComputedKey)
                        || PLACE.matcher(text(name))
                                .results()
                                .anyMatch(place -> !place.group(1).matches("\\d+")))
                .containsExactlyInAnyOrderElementsOf(BATCHES);
    }

    private static boolean hasComputedKey(MatchResult command) {
        return command.group(1) == null
                || (!WITHOUT_KEY.contains(command.group(1))
                        && !String.valueOf(command.group(2)).matches("KEYS\\[\\d+]"));
    }

    @Test
    void noCallIsMadeUnderAnotherNameButInABatch() {
        assertThat(SCRIPTS.keySet())
                .filteredOn(
                        name -> text(name).replaceAll("redis\\.p?call\\(", "").contains("call"))
                .containsExactlyInAnyOrderElementsOf(BATCHES);
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
