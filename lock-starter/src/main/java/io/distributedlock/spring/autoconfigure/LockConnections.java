package io.distributedlock.spring.autoconfigure;

import io.distributedlock.redis.RedisConnections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The connections of the application's lock store. The store that is set up here is not made while the application starts, unless somebody needs
 * a lock by then, but soon afterwards, in the background.
 */
final class LockConnections {

    private static final Log LOG = LogFactory.getLog(LockConnections.class);

    private final ConfigurableListableBeanFactory beans;
    private volatile boolean wanted;

    LockConnections(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @param pause how long nothing is opened unless somebody wants a lock before */
    void start(Duration pause) {
        wanted = true;
        if (isStoreMade()) {
            made().forEach(each -> each.start(pause));
        } else {
            CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::make);
        }
    }

    private void make() {
        if (!wanted) {
            return;
        }
        try {
            beans.getBean(DistributedLockAutoConfiguration.STORE);
            made().forEach(wanted ? RedisConnections::start : RedisConnections::stop);
        } catch (BeansException failure) {
            LOG.warn(
                    "The store of locks can't be made, and no lock can be taken. The first one that is wanted tries again",
                    failure);
        }
    }

    void stop() {
        wanted = false;
        made().forEach(RedisConnections::stop);
    }

    private boolean isStoreMade() {
        return !beans.containsBeanDefinition(DistributedLockAutoConfiguration.STORE)
                || beans.containsSingleton(DistributedLockAutoConfiguration.STORE);
    }

    private List<RedisConnections> made() {
        List<RedisConnections> made = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(RedisConnections.class, false, false)) {
            if (beans.getSingleton(name) instanceof RedisConnections connections) {
                made.add(connections);
            }
        }
        for (String name : beans.getBeanNamesForType(MoreConnections.class, false, false)) {
            if (beans.getSingleton(name) instanceof MoreConnections more) {
                made.addAll(more.all());
            }
        }
        return made;
    }
}
