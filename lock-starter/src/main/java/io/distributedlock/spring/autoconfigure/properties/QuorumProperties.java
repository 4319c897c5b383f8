package io.distributedlock.spring.autoconfigure.properties;

import static io.distributedlock.spring.autoconfigure.properties.PropertyChecks.require;
import static io.distributedlock.spring.autoconfigure.properties.PropertyChecks.shown;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What concerns the store 'quorum'.
 *
 * @param urls Addresses of the independent Redis masters that keep the locks together: an odd number of at least 3,
 *     each as in 'redis://user:password@host:6379', or with 'rediss' for TLS.
 * @param nodeTimeout How long a vote waits for one node; at most half of the command timeout, because a lock needs two
 *     votes.
 * @param restartQuarantine For how long a node grants nothing after it was started or has lost its data, because it may
 *     have forgotten locks; that is so at its first use, too. No lock may have a longer lease. 0 for nodes that never
 *     lose what they confirmed.
 * @param sslBundle Name of the SSL bundle for nodes with 'rediss' addresses. Without a value the JVM's trust store
 *     decides.
 */
@ConfigurationProperties(QuorumProperties.PREFIX)
public record QuorumProperties(
        @DefaultValue List<String> urls,
        @DefaultValue("200ms") Duration nodeTimeout,
        @DefaultValue("30s") Duration restartQuarantine,
        @Nullable String sslBundle) {

    public static final String PREFIX = "distributed-lock.quorum";

    private static final Duration MIN_NODE_TIMEOUT = Duration.ofMillis(10);

    public void check(Duration ttl, Duration commandTimeout) {
        Duration longest = commandTimeout.dividedBy(2);
        require(
                nodeTimeout.compareTo(MIN_NODE_TIMEOUT) >= 0 && nodeTimeout.compareTo(longest) <= 0,
                "quorum.node-timeout is " + shown(nodeTimeout)
                        + ", but it must be from 10ms to half of distributed-lock.redis.command-timeout, which is "
                        + shown(commandTimeout) + ": a lock needs two votes",
                "Use a time in which a healthy node surely answers, for example 200ms, and write the unit");
        require(
                restartQuarantine.isZero() || restartQuarantine.compareTo(ttl) >= 0,
                "quorum.restart-quarantine is " + shown(restartQuarantine)
                        + ", but it must be 0 or at least distributed-lock.ttl, which is " + shown(ttl)
                        + ": otherwise a node that was restarted without its data gives away locks that are still held",
                "Use the longest lease of any lock, " + shown(ttl)
                        + " or more, or 0 if the nodes never lose what they confirmed (appendfsync always)");
    }

    /** They may contain passwords. */
    @Override
    public String toString() {
        return "QuorumProperties[" + urls.size() + " urls]";
    }
}
