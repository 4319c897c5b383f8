package io.distributedlock.spring.key;

import io.distributedlock.spring.method.LockedMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What the expressions of one method can use: the arguments of a call, the call itself as the root object, and beans.
 */
final class CallScope {

    private final Map<String, Integer> positions;
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    CallScope(LockedMethod method, BeanFactory beans) {
        this.positions = positions(method);
        shared.setBeanResolver(new BeanFactoryResolver(beans));
    }

    private static Map<String, Integer> positions(LockedMethod method) {
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < method.method().getParameterCount(); i++) {
            positions.put("p" + i, i);
            positions.put("a" + i, i);
        }
        List<String> names = method.parameterNames();
        for (int i = 0; names != null && i < names.size(); i++) {
            positions.put(names.get(i), i);
        }
        return Map.copyOf(positions);
    }

    StandardEvaluationContext of(KeyExpression.Call call) {
        StandardEvaluationContext context = new Arguments(call);
        shared.applyDelegatesTo(context);
        return context;
    }

    /** Finds arguments where they are, instead of copying all of them for each call. */
    private final class Arguments extends StandardEvaluationContext {

        private final KeyExpression.Call call;

        Arguments(KeyExpression.Call call) {
            super(call);
            this.call = call;
        }

        @Override
        public @Nullable Object lookupVariable(String name) {
            Integer position = positions.get(name);
            return position == null ? super.lookupVariable(name) : call.args()[position];
        }
    }
}
