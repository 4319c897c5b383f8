package io.distributedlock.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** The expression for the key of one method, checked once. Only what needs SpEL is given to it. */
final class KeyExpression {

    private final KeyRefusal refusal;
    private final Source source;

    private KeyExpression(KeyRefusal refusal, Source source) {
        this.refusal = refusal;
        this.source = source;
    }

    /** @throws LockConfigurationException if the expression can't be read or names something that does not exist */
    static KeyExpression parse(String text, LockedMethod method, BeanFactory beans) {
        return new KeyExpression(new KeyRefusal(text, method), source(text, method, beans));
    }

    private static Source source(String text, LockedMethod method, BeanFactory beans) {
        Integer argument = CallScope.argument(text, method);
        if (argument != null) {
            return new Argument(argument);
        }
        String constant = KeyForm.constant(text);
        if (constant != null) {
            return new Constant(constant);
        }
        Supplier<SpelKey> parsing = () -> SpelKey.parse(text, method, beans);
        return new Spel(
                KeyForm.isPath(text, method) ? SingletonSupplier.of(parsing) : SingletonSupplier.of(parsing.get()));
    }

    /** @throws IllegalArgumentException if the result is null, empty, blank, or nothing that other processes could name the same way */
    String evaluate(Call call) {
        List<String> values = evaluateAll(call);
        if (values.size() > 1) {
            throw refusal.because("gives several values where there has to be one");
        }
        return values.get(0);
    }

    /**
     * The key, or the keys if the result is a collection or an array.
     *
     * @throws IllegalArgumentException if the result, or one of its elements, is null, empty, blank, or nothing that other processes could name the
     *     same way; or if there is no element
     */
    List<String> evaluateAll(Call call) {
        Object value = source.of(call);
        List<?> several = KeyText.elements(value);
        if (several == null) {
            return List.of(KeyText.of(value, refusal::because));
        }
        if (several.isEmpty()) {
            throw refusal.because("gives no value, so that nothing would be locked");
        }
        List<String> keys = new ArrayList<>(several.size());
        for (Object each : several) {
            keys.add(KeyText.of(each, problem -> refusal.because("one of the values " + problem)));
        }
        return List.copyOf(keys);
    }

    /** Where the value comes from. */
    private sealed interface Source {

        @Nullable
        Object of(Call call);
    }

    private record Argument(int position) implements Source {

        @Override
        public @Nullable Object of(Call call) {
            return call.args()[position];
        }
    }

    private record Constant(String text) implements Source {

        @Override
        public Object of(Call call) {
            return text;
        }
    }

    /** @param key is parsed at the start, or at the first call if it is certain to be right */
    private record Spel(Supplier<SpelKey> key) implements Source {

        @Override
        public @Nullable Object of(Call call) {
            return key.get().of(call);
        }
    }

    /** One call of the method: the root object of its expression. */
    record Call(
            Method method,
            @Nullable Object target,
            @Nullable Object[] args) {

        public String methodName() {
            return method.getName();
        }

        public @Nullable Class<?> targetClass() {
            return target == null ? null : target.getClass();
        }
    }
}
