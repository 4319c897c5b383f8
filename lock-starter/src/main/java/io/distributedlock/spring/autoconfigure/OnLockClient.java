package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where there is a lock client. Ours is found by its name; only for one of the application's own are all beans looked through, which takes
 * its time at the start.
 */
final class OnLockClient extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Lock client");
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return beans != null && isIn(beans)
                ? ConditionOutcome.match(message.foundExactly("a LockClient"))
                : ConditionOutcome.noMatch(message.didNotFind("a LockClient").atAll());
    }

    private static boolean isIn(ConfigurableListableBeanFactory beans) {
        return beans.containsBeanDefinition(DistributedLockAutoConfiguration.CLIENT)
                || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockClient.class, true, false).length > 0;
    }
}
