package io.distributedlock.spring;

import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** What the expressions of one method can use: the arguments of a call, the call itself as the root object, and beans. */
final class CallScope {

    private final List<String> parameterNames;
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    CallScope(LockedMethod method, BeanFactory beans) {
        List<String> names = method.parameterNames();
        this.parameterNames = names == null ? List.of() : names;
        shared.setBeanResolver(new BeanFactoryResolver(beans));
    }

    StandardEvaluationContext of(KeyExpression.Call call) {
        StandardEvaluationContext context = new StandardEvaluationContext(call);
        shared.applyDelegatesTo(context);
        for (int i = 0; i < call.args().length; i++) {
            context.setVariable("p" + i, call.args()[i]);
            context.setVariable("a" + i, call.args()[i]);
        }
        for (int i = 0; i < parameterNames.size(); i++) {
            context.setVariable(parameterNames.get(i), call.args()[i]);
        }
        return context;
    }
}
