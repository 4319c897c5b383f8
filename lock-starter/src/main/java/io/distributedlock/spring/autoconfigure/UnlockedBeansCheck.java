package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.call.DistributedLockAdvisor;
import java.util.Arrays;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Looks at all beans when they are there for some that have locked methods but no proxy, so that their locks would have
 * no effect: objects that the application has made and registered itself, and beans that were needed before proxies
 * could be made.
 */
final class UnlockedBeansCheck implements SmartInitializingSingleton {

    private static final Log LOG = LogFactory.getLog(UnlockedBeansCheck.class);

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<DistributedLockAdvisor> advisor;

    UnlockedBeansCheck(ConfigurableListableBeanFactory beans, ObjectProvider<DistributedLockAdvisor> advisor) {
        this.beans = beans;
        this.advisor = advisor;
    }

    @Override
    public void afterSingletonsInstantiated() {
        DistributedLockAdvisor locks = advisor.getIfUnique();
        if (locks == null) {
            return;
        }
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.getSingleton(name);
            Class<?> type = bean == null ? null : typeBehindOtherProxies(bean, locks);
            if (type != null && locks.getPointcut().getClassFilter().matches(type)) {
                LOG.warn("@DistributedLock has no effect in the bean '" + name + "': " + type.getName()
                        + " has methods with it, but the bean has no proxy that could take locks. Let Spring create"
                        + " it, as a component or"
                        + " by a @Bean method, and not before its post-processors: nothing that a BeanPostProcessor"
                        + " or a"
                        + " BeanFactoryPostProcessor needs can be locked. Or use LockTemplate in it");
            }
        }
    }

    /** The class of the object itself; null if there is a proxy of ours before it, or if it is not known. */
    private static @Nullable Class<?> typeBehindOtherProxies(Object bean, DistributedLockAdvisor locks) {
        Object object = bean;
        while (object instanceof Advised proxy) {
            if (Arrays.asList(proxy.getAdvisors()).contains(locks)) {
                return null;
            }
            object = AopProxyUtils.getSingletonTarget(proxy);
        }
        return object == null ? null : ClassUtils.getUserClass(object);
    }
}
