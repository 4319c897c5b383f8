package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes what happens to locks in the application context, for methods such as {@code @EventListener void
 * on(LockEvent.Lost lost)}. They are called on the lock client's thread for listeners. A context that is closed is
 * notified nothing.
 */
final class LockEventPublisher implements LockListener {

    private final ConfigurableApplicationContext context;

    LockEventPublisher(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public void on(LockEvent event) {
        if (context.isActive()) {
            context.publishEvent(event);
        }
    }
}
