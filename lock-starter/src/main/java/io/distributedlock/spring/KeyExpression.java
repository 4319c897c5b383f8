package io.distributedlock.spring;

import java.lang.reflect.Method;
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

/**
 * The SpEL expression for the key of one method, parsed and checked once. One that is an argument and nothing more is not even given to SpEL, which
 * would have to be loaded for it when the application starts.
 *
 * <p>SpEL joins null to a text as "null", which would be one lock for everybody whose value is missing. So the parts of a concatenation are
 * looked at one by one before they are joined.
 */
final class KeyExpression {

    private final String text;
    private final LockedMethod method;
    private final Source source;

    private KeyExpression(String text, LockedMethod method, Source source) {
        this.text = text;
        this.method = method;
        this.source = source;
    }

    /** @throws LockConfigurationException if the expression can't be read or names something that does not exist */
    static KeyExpression parse(String text, LockedMethod method, BeanFactory beans) {
        Integer argument = CallScope.argument(text, method);
        return new KeyExpression(text, method, argument == null ? parsed(text, method, beans) : new Argument(argument));
    }

    private static Parsed parsed(String text, LockedMethod method, BeanFactory beans) {
        SpelNode root;
        try {
            root = new SpelExpressionParser().parseRaw(text).getAST();
        } catch (ParseException | IllegalStateException unreadable) {
            throw method.misused(
                    "the key \"" + text + "\" is not a SpEL expression: " + unreadable.getMessage(),
                    "Correct the expression. An argument is written \"#userId\", a constant text \"'nightly'\"",
                    unreadable);
        }
        new KeyReferences("the key \"" + text + "\"", method, beans).check(root);
        return new Parsed(root, new CallScope(method, beans));
    }

    /** @throws IllegalArgumentException if the result is null, empty, blank, or nothing that other processes could name the same way */
    String evaluate(Call call) {
        List<String> values = evaluateAll(call);
        if (values.size() > 1) {
            throw new IllegalArgumentException(refusal("gives several values where there has to be one"));
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
        Object value = source instanceof Parsed parsed ? evaluate(parsed, call) : ((Argument) source).of(call);
        List<?> several = KeyText.elements(value);
        if (several == null) {
            return List.of(keyOf(value, ""));
        }
        if (several.isEmpty()) {
            throw new IllegalArgumentException(refusal("gives no value, so that nothing would be locked"));
        }
        return several.stream().map(each -> keyOf(each, "one of the values ")).toList();
    }

    private @Nullable Object evaluate(Parsed parsed, Call call) {
        SpelNode root = parsed.root();
        try {
            ExpressionState state = new ExpressionState(parsed.scope().of(call));
            return isConcatenation(root) ? concatenated(root, state) : root.getValue(state);
        } catch (EvaluationException failed) {
            throw new IllegalArgumentException(refusal("can't be evaluated: " + failed.getMessage()), failed);
        }
    }

    private String textOf(SpelNode node, ExpressionState state) {
        if (node instanceof StringLiteral literal) {
            return String.valueOf(literal.getLiteralValue().getValue());
        }
        Object value = isConcatenation(node) ? concatenated(node, state) : node.getValue(state);
        return keyOf(value, "the part \"" + node.toStringAST() + "\" ");
    }

    private String keyOf(@Nullable Object value, String part) {
        return KeyText.of(value, problem -> new IllegalArgumentException(refusal(part + problem)));
    }

    private String concatenated(SpelNode node, ExpressionState state) {
        return textOf(node.getChild(0), state) + textOf(node.getChild(1), state);
    }

    private static boolean isConcatenation(SpelNode node) {
        return node instanceof OpPlus
                && node.getChildCount() == 2
                && (isText(node.getChild(0)) || isText(node.getChild(1)));
    }

    private static boolean isText(SpelNode node) {
        return node instanceof StringLiteral || isConcatenation(node);
    }

    private String refusal(String problem) {
        return "The key \"" + text + "\" of " + method + " " + problem
                + ". The method was not called, and no lock was taken";
    }

    /** Where the value comes from. */
    private sealed interface Source {}

    private record Parsed(SpelNode root, CallScope scope) implements Source {}

    private record Argument(int position) implements Source {

        @Nullable
        Object of(Call call) {
            return call.args()[position];
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
