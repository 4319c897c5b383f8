package io.distributedlock.spring;

import io.distributedlock.spring.KeyExpression.Call;
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
 * A key that SpEL evaluates.
 *
 * <p>SpEL joins null to a text as "null", which would be one lock for everybody whose value is missing. So the parts of a concatenation are
 * looked at one by one before they are joined.
 */
final class SpelKey {

    private final KeyRefusal refusal;
    private final SpelNode root;
    private final CallScope scope;

    private SpelKey(KeyRefusal refusal, SpelNode root, CallScope scope) {
        this.refusal = refusal;
        this.root = root;
        this.scope = scope;
    }

    /** @throws LockConfigurationException if the expression can't be read or names something that does not exist */
    static SpelKey parse(String text, LockedMethod method, BeanFactory beans) {
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
        return new SpelKey(new KeyRefusal(text, method), root, new CallScope(method, beans));
    }

    /** @throws IllegalArgumentException if it can't be evaluated, or if a part of a concatenation is no key */
    @Nullable
    Object of(Call call) {
        try {
            ExpressionState state = new ExpressionState(scope.of(call));
            return isConcatenation(root) ? concatenated(root, state) : root.getValue(state);
        } catch (EvaluationException failed) {
            throw refusal.because("can't be evaluated: " + failed.getMessage(), failed);
        }
    }

    private String textOf(SpelNode node, ExpressionState state) {
        if (node instanceof StringLiteral literal) {
            return String.valueOf(literal.getLiteralValue().getValue());
        }
        Object value = isConcatenation(node) ? concatenated(node, state) : node.getValue(state);
        return KeyText.of(value, problem -> refusal.because("the part \"" + node.toStringAST() + "\" " + problem));
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
}
