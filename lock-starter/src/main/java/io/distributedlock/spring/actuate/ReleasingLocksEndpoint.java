package io.distributedlock.spring.actuate;

import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The endpoint {@code locks} for applications whose operators may take a lock away from its holder. Each time is a warning in the log and an
 * audit event.
 */
@Endpoint(id = "locks")
public final class ReleasingLocksEndpoint extends LocksEndpoint {

    /** The type of the audit event. */
    public static final String FORCED_RELEASE = "LOCK_FORCED_RELEASE";

    private static final Log LOG = LogFactory.getLog(ReleasingLocksEndpoint.class);
    private static final String NOBODY = "anonymous";

    private final ApplicationEventPublisher events;

    public ReleasingLocksEndpoint(LockMonitor monitor, int maxEntries, ApplicationEventPublisher events) {
        super(monitor, maxEntries);
        this.events = events;
    }

    /** Takes the lock away from whoever holds it, in whichever process. Gives whose it was; null if it was free. */
    @DeleteOperation
    public LockReport.@Nullable Stored release(@Selector String id, SecurityContext security) {
        Optional<LockReport.Stored> taken = asked(() -> monitor().forceRelease(id));
        Principal principal = security.getPrincipal();
        String who = principal == null ? NOBODY : principal.getName();
        taken.ifPresent(lock -> {
            LOG.warn("Lock '" + lock.id() + "' was taken by force from its owner " + lock.owner() + ", on behalf of "
                    + who);
            Map<String, Object> data = Map.of("lock", lock.id(), "owner", lock.owner(), "heldHere", lock.heldHere());
            events.publishEvent(new AuditApplicationEvent(new AuditEvent(who, FORCED_RELEASE, data)));
        });
        return taken.orElse(null);
    }
}
