package io.distributedlock.spring.actuate;

import io.distributedlock.LockMonitor;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Up while the lock store answers and renewals are in time; for Spring Boot 4. */
public final class LockHealthIndicator extends AbstractHealthIndicator {

    private final LockMonitor monitor;

    public LockHealthIndicator(LockMonitor monitor) {
        super("Locks can't be judged");
        this.monitor = monitor;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        LockMonitor.Health health = monitor.health();
        builder.status(health.isHealthy() ? Status.UP : Status.DOWN).withDetails(health.details());
    }
}
