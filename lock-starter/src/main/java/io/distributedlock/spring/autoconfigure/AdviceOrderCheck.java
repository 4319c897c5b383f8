package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import io.distributedlock.spring.transaction.InsideTransaction;
import java.lang.reflect.Method;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Looks at the proxies of the application for methods whose transaction stands outside of their lock, so that each of
 * their calls would request the lock inside an open transaction.
 */
final class AdviceOrderCheck implements BeanPostProcessor {

    private static final Log LOG = LogFactory.getLog(AdviceOrderCheck.class);

    private final ObjectProvider<DistributedLockProperties> properties;

    AdviceOrderCheck(ObjectProvider<DistributedLockProperties> properties) {
        this.properties = properties;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Advised proxy && proxy.getTargetClass() != null) {
            check(proxy.getTargetClass(), proxy.getAdvisors());
        }
        return bean;
    }

    private void check(Class<?> type, Advisor[] outermostFirst) {
        DistributedLockAdvisor lock = null;
        for (int i = outermostFirst.length - 1; i >= 0; i--) {
            if (outermostFirst[i] instanceof DistributedLockAdvisor found) {
                lock = found;
            } else if (lock != null && outermostFirst[i].getAdvice() instanceof TransactionInterceptor transactions) {
                Set<Method> wrong = lockedInside(type, lock, transactions.getTransactionAttributeSource());
                if (!wrong.isEmpty()) {
                    report(wrong.iterator().next(), lock, outermostFirst[i]);
                }
            }
        }
    }

    private static Set<Method> lockedInside(
            Class<?> type, DistributedLockAdvisor lock, @Nullable TransactionAttributeSource transactions) {
        MetadataLookup<Boolean> both = method -> transactions != null
                        && lock.getPointcut().getMethodMatcher().matches(method, type)
                        && opensTransaction(transactions.getTransactionAttribute(method, type))
                ? Boolean.TRUE
                : null;
        return MethodIntrospector.selectMethods(type, both).keySet();
    }

    private static boolean opensTransaction(@Nullable TransactionAttribute attribute) {
        return attribute != null
                && attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                && attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NEVER;
    }

    private void report(Method method, DistributedLockAdvisor lock, Advisor transaction) {
        int outer = transaction instanceof Ordered ordered ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
        String problem = method.getDeclaringClass().getName() + "." + method.getName()
                + " has both @DistributedLock and a transaction, and the transaction (order " + outer
                + ") is outside of the lock (order " + lock.getOrder()
                + "), so that each call requests its lock inside an open transaction";
        String advice = "Set distributed-lock.aspect.order to a number smaller than " + outer
                + ", or leave the order of transactions at its default";
        if (properties.getObject().transaction().nestedLock() == InsideTransaction.FAIL) {
            throw new LockConfigurationException(problem, advice);
        }
        LOG.warn(problem + ". " + advice);
    }
}
