package io.distributedlock.spring.key;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** The text of a key's value. Only what has the same text in every process can name a lock that processes share. */
final class KeyText {

    private KeyText() {}

    /** The values that are in a collection or an array; null if it is neither. */
    static @Nullable List<?> elements(@Nullable Object raw) {
        Object value = ObjectUtils.unwrapOptional(raw);
        if (value instanceof Collection<?> several) {
            return new ArrayList<>(several);
        }
        return value != null && value.getClass().isArray() ? Arrays.asList(ObjectUtils.toObjectArray(value)) : null;
    }

    /**
     * @param refusal makes the exception for a value that is no key, from a problem that begins with a verb
     */
    static String of(@Nullable Object raw, Function<String, IllegalArgumentException> refusal) {
        Object value = ObjectUtils.unwrapOptional(raw);
        if (value == null) {
            throw refusal.apply("is null, which would be one lock for everybody without a value");
        }
        if (value instanceof Collection
                || value instanceof Map
                || value.getClass().isArray()) {
            throw refusal.apply("gives several values (" + value.getClass().getTypeName()
                    + "), but each lock has one key; name the value that it is about");
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (hasNoText(value)) {
            throw refusal.apply("gives a " + value.getClass().getTypeName()
                    + ", which has no toString() of its own, so that each process would lock something else;"
                    + " name a property that identifies it, such as its id");
        }
        String text = value.toString();
        if (text == null || text.isBlank()) {
            throw refusal.apply("is empty or blank, which would be one lock for everybody without a value");
        }
        return text;
    }

    private static boolean hasNoText(Object value) {
        try {
            return value.getClass().getMethod("toString").getDeclaringClass() == Object.class;
        } catch (NoSuchMethodException impossible) {
            return true;
        }
    }
}
