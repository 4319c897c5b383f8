package io.distributedlock.spring.key;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.LockedMethod;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The SpEL expression that says whether a call of one method needs its lock, parsed and checked once. */
public final class LockCondition {

    private final Expression expression;
    private final LockedMethod method;
    private final CallScope scope;

    private LockCondition(Expression expression, LockedMethod method, BeanFactory beans) {
        this.expression = expression;
        this.method = method;
        this.scope = new CallScope(method, beans);
    }

    /** @throws LockConfigurationException if the expression can't be read or names something that does not exist */
    public static LockCondition parse(String text, LockedMethod method, BeanFactory beans) {
        SpelExpression parsed;
        try {
            parsed = new SpelExpressionParser().parseRaw(text);
        } catch (ParseException | IllegalStateException unreadable) {
            throw method.misused(
                    "the condition \"" + text + "\" is not a SpEL expression: " + unreadable.getMessage(),
                    "Correct the expression, for example \"#amount > 100\"",
                    unreadable);
        }
        new KeyReferences("condition", text, method, beans).check(parsed.getAST());
        return new LockCondition(parsed, method, beans);
    }

    /** @throws IllegalArgumentException if the result is neither true nor false */
    public boolean holds(KeyExpression.Call call) {
        Object result;
        try {
            result = expression.getValue(scope.of(call));
        } catch (EvaluationException failed) {
            throw new IllegalArgumentException(refusal("can't be evaluated: " + failed.getMessage()), failed);
        }
        if (result instanceof Boolean decision) {
            return decision;
        }
        throw new IllegalArgumentException(refusal("gives "
                + (result == null ? "null" : "a " + result.getClass().getTypeName()) + " instead of true or false"));
    }

    private String refusal(String problem) {
        return "The condition \"" + expression.getExpressionString() + "\" of " + method + " " + problem
                + ". The method was not called, and no lock was taken";
    }
}
