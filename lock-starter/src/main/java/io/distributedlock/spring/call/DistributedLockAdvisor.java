package io.distributedlock.spring.call;

import io.distributedlock.LockOptions;
import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.metadata.LockOperationReader;
import io.distributedlock.spring.metadata.LockOperationSource;
import io.distributedlock.spring.method.Strictness;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the lock around the methods that carry {@link DistributedLock}, in every bean that an auto-proxy creator looks
 * at.
 *
 * <p>Unless another order is set, it stands directly outside of the transaction of the same method, so that the lock is
 * released after the commit. An application that defines it as a bean of its own should give that bean {@code
 * ROLE_INFRASTRUCTURE}: the simplest auto-proxy creator looks at no other advisors.
 */
public final class DistributedLockAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    /** Just before transactions, whose advice comes last unless an application moves it. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    private final transient Pointcut pointcut;
    private final transient Advice advice;

    /**
     * @param beans resolves placeholders and the beans of key expressions; has the {@code ReactiveLockTemplate} for
     *     methods that return publishers, and the {@code applicationTaskExecutor} that calls methods that return
     *     futures, unless the common pool shall do so
     * @param template is asked for at the first call of a locked method, not before
     */
    public DistributedLockAdvisor(ConfigurableBeanFactory beans, Supplier<LockTemplate> template) {
        this(beans, template, LockOptions.DEFAULTS, () -> null, Strictness.REFUSE, () -> false);
    }

    /**
     * @param defaults what counts where an annotation says nothing
     * @param policies returns the names of the lock policies that there are, or null if only the client can know
     * @param strictness whether annotations that lock less than they seem to stop the start
     * @param proxiesClasses returns whether beans that implement interfaces have proxies that are subclasses, too
     */
    public DistributedLockAdvisor(
            ConfigurableBeanFactory beans,
            Supplier<LockTemplate> template,
            LockOptions defaults,
            Supplier<@Nullable Set<String>> policies,
            Strictness strictness,
            BooleanSupplier proxiesClasses) {
        LockOperationSource operations =
                new LockOperationSource(new LockOperationReader(beans, defaults, policies, strictness), proxiesClasses);
        this.pointcut = new LockedMethods(operations);
        this.advice = new DistributedLockInterceptor(
                operations, SingletonSupplier.of(() -> new LockedExecutions(template, beans)));
        setOrder(DEFAULT_ORDER);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    /** Matches by class first, which reads all annotations of the class at once. */
    private static final class LockedMethods extends StaticMethodMatcherPointcut implements ClassFilter {

        private final LockOperationSource operations;

        LockedMethods(LockOperationSource operations) {
            this.operations = operations;
            setClassFilter(this);
        }

        @Override
        public boolean matches(Class<?> type) {
            return operations.hasLockedMethods(type);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !operations.find(method, targetClass).isEmpty();
        }
    }
}
