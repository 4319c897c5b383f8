package io.distributedlock.spring.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class KeyExpressionTests {

    private static final Method MODIFY = method("modify");

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "#order.id | 42",
                "#p0.id | 42",
                "#a0.id | 42",
                "#value | v",
                "#p1 | v",
                "#order.lines()[1] | tea",
                "#order.sizes['tea'] | 3",
                "#order.sizes[tea] | 3",
                "#root.methodName | modify",
                "#root.method.name | modify",
                "#root.args[1] | v",
                "#root.targetClass.simpleName | Shop",
                "#root.target.branch | north",
                "methodName | modify",
                "'nightly' | nightly",
                "'order:' + #order.id | order:42",
                "#order.id + ':' + #value | 42:v",
                "#order.id + 1 | 43",
                "'sum:' + (#order.id + 1) | sum:43",
                "#value.length() > 0 ? 'some' : 'none' | some",
                "#order.missing ?: 'default' | default",
                "#order?.id | 42",
                "#order.lines().![length()][0] | 6",
                "#order.lines().?[#this == 'tea'][0] | tea",
                "T(java.lang.Math).max(1, 2) | 2",
                "@regions.of(#value) | region-v"
            })
    void anExpressionCanUseArgumentsTheCallAndBeans(String expression, String expected) {
        beans.registerSingleton("regions", new Regions());
        assertThat(keyOf(expression, new Order(42), "v")).isEqualTo(expected);
    }

    @Test
    void valuesThatHaveOneTextEverywhereAreKeys() {
        UUID id = UUID.randomUUID();
        assertThat(keyOf("#value", null, id)).isEqualTo(id.toString());
        assertThat(keyOf("#value", null, 7L)).isEqualTo("7");
        assertThat(keyOf("#value", null, new BigDecimal("1.50"))).isEqualTo("1.50");
        assertThat(keyOf("#value", null, true)).isEqualTo("true");
        assertThat(keyOf("#value", null, new StringBuilder("text"))).isEqualTo("text");
        assertThat(keyOf("#value", null, Optional.of("inside"))).isEqualTo("inside");
    }

    @Test
    void anEnumIsKeyedByItsConstantNameWhateverItsTextIs() {
        assertThat(keyOf("#value", null, Size.LARGE)).isEqualTo("LARGE");
        assertThat(keyOf("'size:' + #value", null, Size.LARGE)).isEqualTo("size:LARGE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void anEmptyOrBlankResultIsRefused(String blank) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("#value", null, blank))
                .withMessageContaining("\"#value\"")
                .withMessageContaining("KeyExpressionTests$Shop.modify(Order, Object)")
                .withMessageContaining("A key must not be empty or blank")
                .withMessageContaining("The method was not called, and no lock was taken");
    }

    @Test
    void aNullResultIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("#value", null, null))
                .withMessageContaining(
                        "is refused. A key must not be null: all calls without a value would share one lock");
        assertThatIllegalArgumentException().isThrownBy(() -> keyOf("#value", null, Optional.empty()));
    }

    @Test
    void aMissingPartOfAConcatenationIsRefusedAndNotSpelledNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("'order:' + #value + ':x'", null, null))
                .withMessageContaining("is refused for its part \"#value\". A key must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("#order.missing + ':' + #value", new Order(1), "v"))
                .withMessageContaining("for its part \"#order.missing\". A key must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("'order:' + #value", null, ""))
                .withMessageContaining("for its part \"#value\". A key must not be empty or blank");
    }

    @Test
    void aCollectionOrAnArrayGivesSeveralKeys() {
        assertThat(keysOf("#value", List.of("a", 2))).containsExactly("a", "2");
        assertThat(keysOf("#value", new int[] {1, 2})).containsExactly("1", "2");
        assertThat(keysOf("#value", new String[] {"a"})).containsExactly("a");
        assertThat(keysOf("#value", Optional.of(Set.of(Size.LARGE)))).containsExactly("LARGE");
        assertThat(keysOf("#value.![toString()]", List.of(1, 2))).containsExactly("1", "2");
        assertThat(keysOf("{'a', #value}", "b")).containsExactly("a", "b");
    }

    @Test
    void bytesAndDatesAreRefusedAloneAndAmongOthers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keysOf("#value", new byte[] {1, 2}))
                .withMessageContaining("A byte[] has no text of its own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keysOf("#value", List.of(new Date())))
                .withMessageContaining("The text of a java.util.Date depends on the time zone");
    }

    @Test
    void oneValueThatIsNoKeyRefusesThemAll() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keysOf("#value", Arrays.asList("a", null)))
                .withMessageContaining("for one of its values. A key must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keysOf("#value", List.of("a", "")))
                .withMessageContaining("for one of its values. A key must not be empty or blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keysOf("#value", List.of(List.of("a"))))
                .withMessageContaining("for one of its values. A key is one value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keysOf("#value", List.of()))
                .withMessageContaining("has no value, so that nothing would be locked");
    }

    @Test
    void severalValuesInAConcatenationAreRefused() {
        for (Object several : Arrays.asList(List.of("a", "b"), new int[] {1, 2}, new String[] {"a"}, Map.of("a", 1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> keyOf("'id:' + #value", null, several))
                    .withMessageContaining("A key is one value");
        }
    }

    @Test
    void anObjectWithoutATextOfItsOwnIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("#value", null, new Regions()))
                .withMessageContaining("has no toString() of its own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("'region:' + #value", null, new Regions()))
                .withMessageContaining("has no toString() of its own");
    }

    @Test
    void aFailedEvaluationNamesMethodAndExpression() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyOf("#order.id", null, null))
                .withMessageContaining("The key \"#order.id\" of ")
                .withMessageContaining("Shop.modify(Order, Object) can't be evaluated");
    }

    @Test
    void thePartsOfAConcatenationAreEvaluatedOnce() {
        Counter counter = new Counter();
        assertThat(keyOf("'n:' + #value.next() + ':' + #value.next()", null, counter))
                .isEqualTo("n:1:2");
    }

    private String keyOf(String expression, Object order, Object value) {
        List<String> keys = keysOf(expression, order, value);
        assertThat(keys).hasSize(1);
        return keys.get(0);
    }

    private List<String> keysOf(String expression, Object value) {
        return keysOf(expression, null, value);
    }

    private List<String> keysOf(String expression, Object order, Object value) {
        KeyExpression key = KeyExpression.parse(expression, new LockedMethod(MODIFY), beans, Strictness.REFUSE);
        return key.evaluateAll(new KeyExpression.Call(MODIFY, new Shop(), new Object[] {order, value}));
    }

    private static Method method(String name) {
        return Arrays.stream(Shop.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static class Shop {
        public String branch = "north";

        void modify(Order order, Object value) {}
    }

    public record Order(int id) {
        public String getMissing() {
            return null;
        }

        public List<String> lines() {
            return List.of("coffee", "tea");
        }

        public Map<String, Integer> getSizes() {
            return Map.of("tea", 3);
        }
    }

    public static final class Regions {
        public String of(Object value) {
            return "region-" + value;
        }
    }

    public static final class Counter {
        private int count;

        public int next() {
            return ++count;
        }
    }

    enum Size {
        LARGE;

        @Override
        public String toString() {
            return "large " + TimeUnit.SECONDS;
        }
    }
}
