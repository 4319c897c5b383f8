package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.transaction.CommitGuard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds the commit guard to every imperative transaction manager, whoever has made it. A manager that was needed before bean post-processors
 * were there is caught up with when all singletons exist.
 */
final class CommitGuardInstallation implements BeanPostProcessor, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<CommitGuard> guard;

    CommitGuardInstallation(ConfigurableListableBeanFactory beans, Supplier<CommitGuard> guard) {
        this.beans = beans;
        this.guard = guard;
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
        for (String name : beans.getBeanNamesForType(PlatformTransactionManager.class, false, false)) {
            if (beans.getSingleton(name) instanceof ConfigurableTransactionManager manager) {
                addTo(manager);
            }
        }
    }

    private void addTo(ConfigurableTransactionManager manager) {
        CommitGuard added = guard.get();
        Collection<TransactionExecutionListener> listeners = manager.getTransactionExecutionListeners();
        if (!listeners.contains(added)) {
            List<TransactionExecutionListener> all = new ArrayList<>(listeners);
            all.add(added);
            manager.setTransactionExecutionListeners(all);
        }
    }
}
