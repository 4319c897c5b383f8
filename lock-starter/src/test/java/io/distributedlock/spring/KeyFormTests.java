package io.distributedlock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

class KeyFormTests {

    private final LockedMethod method =
            new LockedMethod(ReflectionUtils.findMethod(Shop.class, "order", Object.class, String.class, String.class));

    @ParameterizedTest
    @ValueSource(strings = {"#request.userId", "#request.user.id", "#p0.id", "#a1.x_1", "#code._id"})
    void thePropertyOfAnArgumentIsAPath(String text) {
        assertThat(KeyForm.isPath(text, method)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#request",
                "#unknown.id",
                "#root.methodName",
                "#this.id",
                "#p3.id",
                "#request.id()",
                "#request?.id",
                "#request.id + 1",
                "#request .id",
                "#request.1",
                "#request.",
                "request.id",
                "#request.!id",
                "'#request.id'",
                "#le.id"
            })
    void nothingElseIs(String text) {
        assertThat(KeyForm.isPath(text, method)).isFalse();
    }

    /** What SpEL gives a meaning of its own is left to SpEL, whichever way it is written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "div", "mod", "between", "instanceof",
                        "matches",
                "new", "null", "true", "false", "t", "id", "key", "in", "is", "class", "this", "root", "length", "empty"
            })
    void whatLooksLikeAPathIsRightForSpel(String property) {
        for (String written : new String[] {property, property.toUpperCase(Locale.ROOT)}) {
            String text = "#request." + written + ".id";
            if (KeyForm.isPath(text, method)) {
                assertThatCode(() -> SpelKey.parse(text, method, new DefaultListableBeanFactory()))
                        .doesNotThrowAnyException();
            }
        }
        assertThat(KeyForm.isPath("#request.eq", method)).isFalse();
    }

    @Test
    void theTokenIsNoArgumentOfAPath() {
        LockedMethod fenced = LockedMethod.of(
                ReflectionUtils.findMethod(Shop.class, "fenced", Object.class, long.class),
                ReflectionUtils.findMethod(Shop.class, "fenced", Object.class, long.class));
        assertThat(KeyForm.isPath("#token.x", fenced)).isFalse();
    }

    @Test
    void aTextInQuotesIsAConstantUnlessThereAreQuotesInside() {
        assertThat(KeyForm.constant("'nightly'")).isEqualTo("nightly");
        assertThat(KeyForm.constant("''")).isEmpty();
        assertThat(KeyForm.constant("'it''s'")).isNull();
        assertThat(KeyForm.constant("'a' + 'b'")).isNull();
        assertThat(KeyForm.constant("'open")).isNull();
        assertThat(KeyForm.constant("nightly")).isNull();
    }

    static class Shop {
        void order(Object request, String code, String le) {}

        void fenced(Object request, @FencingToken long token) {}
    }
}
