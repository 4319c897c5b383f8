package io.distributedlock.spring.key;

import io.distributedlock.spring.method.LockedMethod;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What the expressions of one method can use: the arguments of a call, the call itself as the root object, and beans.
 */
final class CallScope {

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final LockedMethod method;
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    CallScope(LockedMethod method, BeanFactory beans) {
        this.method = method;
        shared.setBeanResolver(new BeanFactoryResolver(beans));
    }

    StandardEvaluationContext of(KeyExpression.Call call) {
        StandardEvaluationContext context = new MethodBasedEvaluationContext(call, method.method(), call.args(), NAMES);
        shared.applyDelegatesTo(context);
        return context;
    }
}
