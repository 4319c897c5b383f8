package io.distributedlock.spring.boot3;

import io.distributedlock.LockMonitor;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

/** Up while the lock store answers and renewals are in time; for Spring Boot 3. */
final class Boot3LockHealthIndicator extends AbstractHealthIndicator {

    private final LockMonitor monitor;

    Boot3LockHealthIndicator(LockMonitor monitor) {
        super("Locks can't be judged");
        this.monitor = monitor;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        LockMonitor.Health health = monitor.health();
        builder.status(health.isHealthy() ? Status.UP : Status.DOWN).withDetails(health.details());
    }
}
