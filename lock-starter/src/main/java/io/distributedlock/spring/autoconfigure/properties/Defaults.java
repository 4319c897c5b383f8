package io.distributedlock.spring.autoconfigure.properties;

import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Aspect;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Redis;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Shutdown;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Transaction;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Waiting;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Web;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import io.distributedlock.spring.transaction.InsideTransaction;
import java.time.Duration;

/**
 * What counts for settings that are not made, ready to use. A section of which a part is set takes the rest from the
 * defaults on its components, which are the same.
 */
public final class Defaults {

    static final Duration WAIT_TIME = Duration.ofSeconds(5);
    static final Duration TTL = Duration.ofSeconds(30);
    static final Duration LONG_HOLD_WARNING = Duration.ofMinutes(5);
    static final Waiting WAITING = new Waiting(true, 10_000, 50_000);
    static final Redis REDIS =
            new Redis(Duration.ofSeconds(1), 0, Duration.ofMillis(100), true, true, false, null, null);
    public static final Aspect ASPECT = new Aspect(true, DistributedLockAdvisor.DEFAULT_ORDER, false, false, true);
    static final Transaction TRANSACTION =
            new Transaction(true, Duration.ofMillis(100), InsideTransaction.RELEASE_AFTER_COMPLETION);
    static final Web WEB = new Web(true);
    static final Shutdown SHUTDOWN = new Shutdown(Duration.ofSeconds(10));

    static final LockMetricsProperties METRICS = new LockMetricsProperties(100, false);
    static final LocksEndpointProperties ENDPOINT = new LocksEndpointProperties(100, false);

    private Defaults() {}
}
