package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockOptions;
import io.distributedlock.LockTemplate;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Aspect;
import io.distributedlock.spring.autoconfigure.properties.NamedPolicies;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import io.distributedlock.spring.method.Strictness;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * The annotation's advice. It is created before the application's beans, so it reads its settings from the environment
 * and asks for the lock template at the first locked call: nothing of the application's is drawn into that early time.
 */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnSwitch({"distributed-lock.enabled", "distributed-lock.aspect.enabled"})
@Import(LockProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class DistributedLockAspectAutoConfiguration {

    private static final String ASPECT = DistributedLockProperties.PREFIX + ".aspect";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static DistributedLockAdvisor distributedLockAdvisor(
            ConfigurableListableBeanFactory beans, ObjectProvider<LockTemplate> template, Environment environment) {
        Aspect aspect = aspect(environment);
        DistributedLockAdvisor advisor = new DistributedLockAdvisor(
                beans,
                SingletonSupplier.of(template::getObject),
                LockOptions.DEFAULTS
                        .withInterruptOnLoss(aspect.interruptOnLoss())
                        .withCancelWork(aspect.cancelWork()),
                SingletonSupplier.ofNullable(() -> policies(beans, environment)),
                aspect.strict() ? Strictness.REFUSE : Strictness.WARN,
                () -> proxiesClasses(beans));
        advisor.setOrder(aspect.order());
        return advisor;
    }

    private static boolean proxiesClasses(ConfigurableListableBeanFactory beans) {
        return beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig proxies
                && proxies.isProxyTargetClass();
    }

    private static Aspect aspect(Environment environment) {
        return Binder.get(environment).bindOrCreate(ASPECT, Aspect.class);
    }

    @Bean
    static UnlockedBeansCheck distributedLockUnlockedBeansCheck(
            ConfigurableListableBeanFactory beans, ObjectProvider<DistributedLockAdvisor> advisor) {
        return new UnlockedBeansCheck(beans, advisor);
    }

    /** Null for a client of the application's own, whose policies only that client knows. */
    private static @Nullable Set<String> policies(ConfigurableListableBeanFactory beans, Environment environment) {
        return beans.containsBean(DistributedLockAutoConfiguration.CLIENT)
                ? NamedPolicies.names(environment, beans)
                : null;
    }
}
