package io.distributedlock.spring.autoconfigure;

import static java.util.Objects.requireNonNull;

import io.distributedlock.spring.transaction.CommitGuard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds the commit guard to every imperative transaction manager, wherever it was defined. A manager that was needed
 * before bean post-processors were there is caught up with when all singletons exist.
 */
final class CommitGuardInstallation implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

    private final ObjectProvider<CommitGuard> guard;
    private @Nullable ConfigurableListableBeanFactory beans;

    CommitGuardInstallation(ObjectProvider<CommitGuard> guard) {
        this.guard = guard;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = (ConfigurableListableBeanFactory) beanFactory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            addTo(manager);
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory all = requireNonNull(beans);
        for (String name : all.getBeanNamesForType(PlatformTransactionManager.class, false, false)) {
            if (all.getSingleton(name) instanceof ConfigurableTransactionManager manager) {
                addTo(manager);
            }
        }
    }

    private void addTo(ConfigurableTransactionManager manager) {
        CommitGuard added = guard.getObject();
        Collection<TransactionExecutionListener> listeners = manager.getTransactionExecutionListeners();
        if (!listeners.contains(added)) {
            List<TransactionExecutionListener> all = new ArrayList<>(listeners);
            all.add(added);
            manager.setTransactionExecutionListeners(all);
        }
    }
}
