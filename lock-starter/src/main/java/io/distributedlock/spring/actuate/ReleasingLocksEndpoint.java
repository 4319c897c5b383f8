package io.distributedlock.spring.actuate;

import io.distributedlock.LockException;
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
 * The endpoint {@code locks} for applications whose operators may take a lock away from its holder. Each attempt and
 * its outcome are warnings in the log and audit events.
 */
@Endpoint(id = "locks")
public final class ReleasingLocksEndpoint extends LocksEndpoint {

    /** The type of the audit event of an attempt, before the store is asked. */
    public static final String FORCED_RELEASE_REQUESTED = "LOCK_FORCED_RELEASE_REQUESTED";

    /** The type of the audit event of a lock that was taken away. */
    public static final String FORCED_RELEASE = "LOCK_FORCED_RELEASE";

    /** The type of the audit event of an attempt whose answer is lost: the lock may have been taken away. */
    public static final String FORCED_RELEASE_UNCLEAR = "LOCK_FORCED_RELEASE_UNCLEAR";

    private static final Log LOG = LogFactory.getLog(ReleasingLocksEndpoint.class);
    private static final String ANONYMOUS = "anonymous";
    private static final String NO_REASON = "no reason given";
    private static final int MAX_REASON = 200;

    private final ApplicationEventPublisher events;

    public ReleasingLocksEndpoint(LockMonitor monitor, int maxEntries, ApplicationEventPublisher events) {
        this(monitor, new LockIncidents(), maxEntries, events);
    }

    /** @param incidents a listener of the client */
    public ReleasingLocksEndpoint(
            LockMonitor monitor, LockIncidents incidents, int maxEntries, ApplicationEventPublisher events) {
        super(monitor, incidents, maxEntries);
        this.events = events;
    }

    /** {@link #release(String, String, SecurityContext)} for no reason that is known. */
    public LockReport.@Nullable Stored release(String id, SecurityContext security) {
        return release(id, null, security);
    }

    /**
     * Takes the lock away from its holder, in whichever process. The attempt is audited before the store is asked,
     * because it may take effect although its answer is lost; the outcome is audited afterwards.
     *
     * @param reason what the log and the audit events say of it, cut to 200 characters
     * @return whose lock it was; null if it was free
     */
    @DeleteOperation
    public LockReport.@Nullable Stored release(
            @Selector String id, @org.springframework.lang.Nullable String reason, SecurityContext security) {
        Principal principal = security.getPrincipal();
        String operator = principal == null ? ANONYMOUS : printable(principal.getName());
        String lock = printable(id);
        String why = reason == null || reason.isBlank() ? NO_REASON : shortened(printable(reason.strip()));
        LOG.warn("Lock '" + lock + "' is to be released by force, on behalf of " + operator + ", because: " + why);
        audit(operator, FORCED_RELEASE_REQUESTED, Map.of("lock", lock, "because", why));
        try {
            Optional<LockReport.Stored> taken = asked(() -> monitor().forceRelease(id));
            taken.ifPresent(held -> {
                LOG.warn("Lock '" + lock + "' was taken by force from its owner " + held.owner() + ", on behalf of "
                        + operator + ", because: " + why);
                audit(
                        operator,
                        FORCED_RELEASE,
                        Map.of("lock", lock, "owner", held.owner(), "heldHere", held.heldHere(), "because", why));
            });
            return taken.orElse(null);
        } catch (LockException unclear) {
            LOG.warn("Whether lock '" + lock + "' was released by force is not known", unclear);
            audit(
                    operator,
                    FORCED_RELEASE_UNCLEAR,
                    Map.of("lock", lock, "reason", String.valueOf(unclear.getMessage()), "because", why));
            throw unclear;
        }
    }

    private void audit(String operator, String type, Map<String, Object> data) {
        events.publishEvent(new AuditApplicationEvent(new AuditEvent(operator, type, data)));
    }

    private static String shortened(String text) {
        return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON);
    }

    /** A name with line breaks could write lines of its own into the log. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
