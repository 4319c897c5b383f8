package io.distributedlock.spring.key;

import io.distributedlock.LockRequest;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/**
 * The SpEL expression for the key of one method, parsed and checked once.
 *
 * <p>SpEL joins null to a text as "null", which would be one lock for all callers whose value is missing. So the parts
 * of a concatenation are checked one by one before they are joined.
 */
public final class KeyExpression {

    private static final String NO_TEMPLATE =
            "Write the expression without #{ } around it, and values of properties without"
                    + " ${ }, which is not resolved in a key: an argument is written \"#userId\", a property"
                    + " \"@environment.getProperty('region')\". The name of a lock can contain ${ }";

    private final String text;
    private final LockedMethod method;
    private final SpelNode root;
    private final CallScope scope;

    private KeyExpression(String text, LockedMethod method, SpelNode root, CallScope scope) {
        this.text = text;
        this.method = method;
        this.root = root;
        this.scope = scope;
    }

    /** @throws LockConfigurationException if the expression can't be read or names something that does not exist */
    public static KeyExpression parse(String text, LockedMethod method, BeanFactory beans, Strictness strictness) {
        SpelNode root;
        try {
            root = new SpelExpressionParser().parseRaw(text).getAST();
        } catch (ParseException | IllegalStateException unreadable) {
            throw method.misused(
                    "the key \"" + text + "\" is not a SpEL expression: " + unreadable.getMessage(),
                    looksLikeTemplate(text)
                            ? NO_TEMPLATE
                            : "Correct the expression. An argument is written \"#userId\", a constant text \""
                                    + KeyReferences.quoted(text, "nightly") + "\"",
                    unreadable);
        }
        new KeyReferences("key", text, method, beans).check(root);
        if (looksLikeTemplate(text)) {
            strictness.report(
                    method.misused("the key \"" + text + "\" contains a placeholder or a template", NO_TEMPLATE));
        }
        new Sums(text, method, strictness).check(root);
        new ArgumentPaths(text, method, strictness).check(root);
        return new KeyExpression(text, method, root, new CallScope(method, beans));
    }

    /**
     * @throws IllegalArgumentException if the result is null, empty, blank, or nothing that other processes could name
     * the same way
     */
    public String evaluate(Call call) {
        List<String> values = evaluateAll(call);
        if (values.size() > 1) {
            throw refusal("has several values where one is required", null);
        }
        return values.get(0);
    }

    /**
     * The key, or the keys if the result is a collection or an array.
     *
     * @throws IllegalArgumentException if the result, or one of its elements, is null, empty, blank, or nothing that
     *     other processes could name the same way; or if there is no element
     */
    public List<String> evaluateAll(Call call) {
        Object value = valueOf(call);
        List<?> several = elements(value);
        if (several == null) {
            return List.of(keyOf(value, ""));
        }
        if (several.isEmpty()) {
            throw refusal("has no value, so that nothing would be locked", null);
        }
        List<String> keys = new ArrayList<>(several.size());
        for (Object each : several) {
            keys.add(keyOf(each, "one of its values"));
        }
        return List.copyOf(keys);
    }

    private @Nullable Object valueOf(Call call) {
        try {
            ExpressionState state = new ExpressionState(scope.of(call));
            return isConcatenation(root) ? concatenated(root, state) : root.getValue(state);
        } catch (EvaluationException failed) {
            throw refusal("can't be evaluated: " + failed.getMessage(), failed);
        }
    }

    private String concatenated(SpelNode node, ExpressionState state) {
        return textOf(node.getChild(0), state) + textOf(node.getChild(1), state);
    }

    private String textOf(SpelNode node, ExpressionState state) {
        if (node instanceof StringLiteral literal) {
            return String.valueOf(literal.getLiteralValue().getValue());
        }
        Object value = isConcatenation(node) ? concatenated(node, state) : node.getValue(state);
        return keyOf(value, "its part \"" + node.toStringAST() + "\"");
    }

    private String keyOf(@Nullable Object value, String part) {
        try {
            return LockRequest.keyOf(value);
        } catch (IllegalArgumentException noKey) {
            throw refusal("is refused" + (part.isEmpty() ? "" : " for " + part) + ". " + noKey.getMessage(), noKey);
        }
    }

    /** The values in a collection or an array; null if it is neither. An array of bytes is one value. */
    private static @Nullable List<?> elements(@Nullable Object raw) {
        Object value = ObjectUtils.unwrapOptional(raw);
        if (value instanceof Collection<?> several) {
            return new ArrayList<>(several);
        }
        return value != null && value.getClass().isArray() && !(value instanceof byte[])
                ? Arrays.asList(ObjectUtils.toObjectArray(value))
                : null;
    }

    private IllegalArgumentException refusal(String problem, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "The key \"" + text + "\" of " + method + " " + problem
                        + ". The method was not called, and no lock was taken",
                cause);
    }

    private static boolean looksLikeTemplate(String text) {
        return text.contains("${") || text.contains("#{");
    }

    private static boolean isConcatenation(SpelNode node) {
        return node instanceof OpPlus
                && node.getChildCount() == 2
                && (isText(node.getChild(0)) || isText(node.getChild(1)));
    }

    private static boolean isText(SpelNode node) {
        return node instanceof StringLiteral || isConcatenation(node);
    }

    /** One call of the method: the root object of its expression. */
    public record Call(
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
