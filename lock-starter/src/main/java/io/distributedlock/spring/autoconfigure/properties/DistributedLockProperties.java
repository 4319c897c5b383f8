package io.distributedlock.spring.autoconfigure.properties;

import static io.distributedlock.spring.autoconfigure.properties.PropertyChecks.isWord;
import static io.distributedlock.spring.autoconfigure.properties.PropertyChecks.require;
import static io.distributedlock.spring.autoconfigure.properties.PropertyChecks.shown;
import static java.util.Objects.requireNonNullElse;

import io.distributedlock.LockOptions;
import io.distributedlock.ReleaseMode;
import io.distributedlock.redis.ScriptUse;
import io.distributedlock.spring.IdentityDetail;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import io.distributedlock.spring.transaction.InsideTransaction;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * The settings of the lock client. How to reach Redis is not among them: that is taken from the application's own
 * connection.
 *
 * @param enabled Whether the lock client, its template and its annotation are set up at all.
 * @param store Where locks are kept: 'redis', the application's own; 'quorum', a majority of independent Redis masters;
 *     or 'memory' for an application that runs as a single process.
 * @param keyPrefix What the Redis keys of all locks begin with. Applications that share locks need the same prefix.
 *     Without a value it is 'lock' and the application's name, if it has one: lock:shop.
 * @param waitTime How long a call waits for a lock unless it says so itself; 0 means one try.
 * @param ttl Lease of a lock without a ttl of its own. Such a lock is renewed at every third of it, until it is
 *     released.
 * @param maxHold How long a lock without a ttl of its own is held at most unless its request says so itself; it is then
 *     lost to its holder. Without a value there is no limit.
 * @param stopMargin For how long a lock stays closed after its holder has lost it, also by a forced release of this
 *     application, or after the lease of a process that is gone, so that old work can end.
 * @param longHoldWarning After which time of holding a renewed lock a warning with the holder's stack trace is logged,
 *     once.
 * @param releaseMode What the end of a call waits for: 'confirmed' for the answer of Redis, 'pipelined' for nothing, so
 *     that a loss found by then is reported by events alone.
 * @param identity What this application says about itself beside its locks, so that others can say who holds one:
 *     'full' for its name, version, host, process id and start, 'application' without host and process id, 'none' for
 *     nothing.
 * @param waiting How calls of this process wait for each other.
 * @param policies Tiers of locks that are taken and held alike, by their names: for @DistributedLock(policy = "..."),
 *     or for names of locks.
 * @param redis What concerns the connection to Redis.
 * @param aspect What concerns the annotation.
 * @param transaction What concerns the transactions of the application.
 * @param shutdown What concerns the end of the application.
 * @param metrics What is said about locks in meters and observations.
 * @param endpoint The actuator's endpoint for locks.
 * @param web What concerns web requests.
 */
@ConfigurationProperties(DistributedLockProperties.PREFIX)
public record DistributedLockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("redis") Store store,
        @Nullable String keyPrefix,
        @DefaultValue("5s") Duration waitTime,
        @DefaultValue("30s") Duration ttl,
        @Nullable Duration maxHold,
        @DefaultValue("0s") Duration stopMargin,
        @DefaultValue("5m") Duration longHoldWarning,
        @DefaultValue("confirmed") ReleaseMode releaseMode,
        @DefaultValue("full") IdentityDetail identity,
        @DefaultValue Waiting waiting,
        Map<String, LockPolicyProperties> policies,
        @DefaultValue Redis redis,
        @DefaultValue Aspect aspect,
        @DefaultValue Transaction transaction,
        @DefaultValue Shutdown shutdown,
        @DefaultValue @NestedConfigurationProperty LockMetricsProperties metrics,
        @DefaultValue @NestedConfigurationProperty LocksEndpointProperties endpoint,
        @DefaultValue Web web) {

    public static final String PREFIX = "distributed-lock";

    private static final Duration MAX_DRAIN_TIME = Duration.ofDays(1);
    private static final Duration MAX_STOP_MARGIN = Duration.ofHours(1);
    private static final Duration MIN_COMMAND_TIMEOUT = Duration.ofMillis(10);

    public DistributedLockProperties {
        policies = requireNonNullElse(policies, Map.of());
        requireSound(keyPrefix, waitTime, ttl);
        requireHoldLimits(maxHold, longHoldWarning);
        requireStopMargin(stopMargin);
        requireLongEnough(redis.commandTimeout());
        requireScripts(store, redis.scripts());
        transaction.checkMargin(ttl);
    }

    /**
     * The prefix that counts: {@link #keyPrefix()}, or one with the name of the application, so that two applications
     * on one Redis do not share locks by accident.
     */
    public String effectiveKeyPrefix(Environment environment) {
        if (keyPrefix != null) {
            return keyPrefix;
        }
        String application = environment.getProperty("spring.application.name", "");
        return application.isBlank() ? "lock" : "lock:" + application.strip().replaceAll("[\\s{}]", "-");
    }

    /** The command timeout that counts: one slow answer to a renewal must not cost the lock. */
    public Duration effectiveCommandTimeout() {
        Duration third = ttl.dividedBy(3);
        return redis.commandTimeout().compareTo(third) <= 0 ? redis.commandTimeout() : third;
    }

    /** One line for the log of the start. */
    public String summary(String place, Environment environment) {
        return ("Distributed locks are kept in %s, key prefix '%s'; by default a lock has a ttl of %s and is renewed,"
                        + " and a call waits %s for it")
                .formatted(place, effectiveKeyPrefix(environment), shown(ttl), shown(waitTime));
    }

    private static void requireSound(@Nullable String keyPrefix, Duration waitTime, Duration ttl) {
        require(
                keyPrefix == null || isWord(keyPrefix),
                "key-prefix is '" + keyPrefix + "', but it must not be empty or contain blanks or braces",
                "Use a plain word such as 'lock' or 'shop:lock'");
        require(
                ttl.compareTo(LockOptions.MIN_TTL) >= 0 && ttl.compareTo(LockOptions.MAX_DURATION) <= 0,
                "ttl is " + shown(ttl)
                        + ", but a lease must be from 50ms to 365d: a shorter one would be used up on the way to Redis",
                "Use a few seconds, for example 30s, and write the unit: a number alone means milliseconds."
                        + " A lock without a ttl of its own is renewed, so this does not limit how long it can be"
                        + " held");
        require(
                !waitTime.isNegative() && waitTime.compareTo(LockOptions.MAX_DURATION) <= 0,
                "wait-time is " + shown(waitTime) + ", but it must be from 0 to 365d",
                "Use a time such as 5s, or 0 for one try without waiting");
    }

    private static void requireLongEnough(Duration timeout) {
        require(
                timeout.compareTo(MIN_COMMAND_TIMEOUT) >= 0,
                "redis.command-timeout is " + shown(timeout) + ", but it must be at least 10ms",
                "Use a time in which a healthy Redis surely answers, for example 1s, and write the unit");
    }

    private static void requireScripts(Store store, ScriptUse scripts) {
        require(
                store != Store.QUORUM || scripts != ScriptUse.NEVER,
                "redis.scripts is never, but distributed-lock.store is quorum, whose nodes grant locks by scripts",
                "Leave redis.scripts out, or keep the locks in one Redis: distributed-lock.store=redis");
    }

    private static void requireHoldLimits(@Nullable Duration maxHold, Duration longHoldWarning) {
        require(
                maxHold == null
                        || maxHold.compareTo(LockOptions.MIN_TTL) >= 0
                                && maxHold.compareTo(LockOptions.MAX_DURATION) <= 0,
                "max-hold is " + shown(maxHold) + ", but it must be from 50ms to 365d",
                "Use the longest time that work under a lock can take, for example 1h, or leave it out for no limit");
        require(
                longHoldWarning.compareTo(Duration.ZERO) > 0
                        && longHoldWarning.compareTo(LockOptions.MAX_DURATION) <= 0,
                "long-hold-warning is " + shown(longHoldWarning) + ", but it must be above 0 and at most 365d",
                "Use a time after which a holder is suspect, for example 5m; a very long one switches the warning off");
    }

    private static void requireStopMargin(Duration stopMargin) {
        require(
                !stopMargin.isNegative() && stopMargin.compareTo(MAX_STOP_MARGIN) <= 0,
                "stop-margin is " + shown(stopMargin) + ", but it must be from 0 to 1h",
                "Use the time in which work ends after it was notified of the loss of its lock, for example 2s");
    }

    /**
     * How calls of this process wait for each other.
     *
     * @param barging Whether a thread that runs may take a renewed lock, which another thread has just released, in
     *     front of a waiter that is being woken. Off means strict order of arrival, and fewer turns per second.
     * @param maxPerLock How many calls may wait for one lock; further ones fail at once.
     * @param maxTotal How many calls may wait for all locks together; further ones fail at once.
     */
    public record Waiting(
            @DefaultValue("true") boolean barging,
            @DefaultValue("10000") int maxPerLock,
            @DefaultValue("50000") int maxTotal) {

        public Waiting {
            require(
                    maxPerLock >= 1 && maxTotal >= maxPerLock,
                    "waiting.max-per-lock is " + maxPerLock + " and waiting.max-total is " + maxTotal
                            + ", but at least 1 call must be allowed to wait for a lock, and not fewer for all locks",
                    "Use limits that only a disturbance can reach, for example 10000 and 50000");
        }
    }

    /** Where locks are kept. */
    public enum Store {
        REDIS,
        QUORUM,
        MEMORY
    }

    /**
     * What concerns the connection to Redis.
     *
     * @param commandTimeout How long one command to Redis may take. A third of the ttl counts if that is less.
     * @param replicas How many replicas have to have a new lock before it counts as granted; with 0, none is waited
     *     for. Renewals and releases are never waited for.
     * @param replicaTimeout How long a grant waits for redis.replicas to acknowledge it; at most half of
     *     redis.command-timeout.
     * @param notifications Whether waiting calls are queued in Redis and notified of their turn on a channel.
     *     Off, or without the rights for it, they poll with backoff.
     * @param scripts Whether locks use Lua scripts: 'auto' as long as the server runs them, or 'never'. Without
     *     scripts, locks are exclusive, have no fencing tokens, and are polled for; that needs Valkey 9, Redis 8.4 or
     *     Tair.
     * @param selfTest Whether Redis is checked once, after the first connection, for missing rights and unfit settings,
     *     which are logged.
     * @param failFast Whether the start of the application fails if Redis cannot be reached then. Off, the failure is
     *     logged, and locks fail until Redis can be reached.
     * @param url Address of a Redis for locks alone, as redis://user:password@host:port/database, or rediss:// for TLS.
     *     Without a value, locks are kept in the Redis of spring.data.redis.
     * @param sslBundle The SSL bundle for the Redis of distributed-lock.redis.url.
     */
    public record Redis(
            @DefaultValue("1s") Duration commandTimeout,
            @DefaultValue("0") int replicas,
            @DefaultValue("100ms") Duration replicaTimeout,
            @DefaultValue("true") boolean notifications,
            @DefaultValue("auto") ScriptUse scripts,
            @DefaultValue("true") boolean selfTest,
            @DefaultValue("false") boolean failFast,
            @Nullable String url,
            @Nullable String sslBundle) {

        public Redis {
            require(
                    replicas >= 0,
                    "redis.replicas is " + replicas + ", but it must be 0 or more",
                    "Use the number of replicas that must have a lock, fewer than there are, or 0 to wait for none");
            require(
                    replicas == 0
                            || replicaTimeout.compareTo(Duration.ZERO) > 0
                                    && replicaTimeout.compareTo(commandTimeout.dividedBy(2)) <= 0,
                    "redis.replica-timeout is " + shown(replicaTimeout)
                            + ", but it must be above 0 and at most half of distributed-lock.redis.command-timeout,"
                            + " which is "
                            + shown(commandTimeout),
                    "Use a time in which a healthy replica surely has what its master wrote, for example 100ms");
        }
    }

    /**
     * What concerns the annotation.
     *
     * @param enabled Whether annotated methods are run under their lock.
     * @param order Order of the lock among the advices of a method; a smaller number is further outside. The default is
     *     directly outside of the method's transaction, so that a lock is released after the commit.
     * @param interruptOnLoss Whether the thread of a method is interrupted when the method's lock is lost while it
     *     runs.
     * @param cancelWork Whether the future that a method returned is cancelled, and its lock released, when the future
     *     that its caller got is cancelled or times out.
     * @param strict Whether annotations that can be read, but lock less than they seem to, stop the start; otherwise
     *     they are logged as warnings.
     */
    public record Aspect(
            @DefaultValue("true") boolean enabled,

            @DefaultValue("" + DistributedLockAdvisor.DEFAULT_ORDER)
            int order,

            @DefaultValue("false") boolean interruptOnLoss,

            @DefaultValue("false") boolean cancelWork,

            @DefaultValue("true") boolean strict) {}

    /**
     * What concerns the transactions of the application.
     *
     * @param commitGuard Whether a transaction is rolled back instead of committed if a lock that it runs under is
     *     lost.
     * @param commitMargin How much of each such lock has to be left at the commit, which should take less.
     * @param nestedLock What happens when a lock is requested inside an open transaction, so that it would be released
     *     before the commit.
     */
    public record Transaction(
            @DefaultValue("true") boolean commitGuard,
            @DefaultValue("100ms") Duration commitMargin,
            @DefaultValue("release-after-completion") InsideTransaction nestedLock) {

        private void checkMargin(Duration ttl) {
            require(
                    !commitMargin.isNegative() && commitMargin.compareTo(ttl.dividedBy(3)) <= 0,
                    "transaction.commit-margin is " + shown(commitMargin)
                            + ", but it must be from 0 to a third of distributed-lock.ttl, which is " + shown(ttl)
                            + ": otherwise a lock that is held in good order could have too little left for a commit",
                    "Use the time that a slow commit takes, for example 100ms, and write the unit");
        }
    }

    /**
     * What concerns the end of the application.
     *
     * @param drainTime How long work that runs under a lock may go on when the application stops, before its lock is
     *     taken from it; 0 takes it at once.
     */
    public record Shutdown(@DefaultValue("10s") Duration drainTime) {

        public Shutdown {
            require(
                    !drainTime.isNegative() && drainTime.compareTo(MAX_DRAIN_TIME) <= 0,
                    "shutdown.drain-time is " + shown(drainTime) + ", but it must be from 0 to 1d",
                    "Use a time such as 10s that is shorter than what your platform waits before it kills the process");
        }
    }

    /**
     * What concerns web requests.
     *
     * @param problemDetails Whether requests that fail because of a lock are answered with a problem detail: 409 if the
     *     lock is held, 503 if Redis gives no answer, 500 if the lock was lost.
     * @param holder What a 409 says about the holder of the lock, as far as it is known: 'application' for its name and
     *     since when it has been at most, 'full' for host and process id, too, 'none' for nothing.
     */
    public record Web(
            @DefaultValue("true") boolean problemDetails,
            @DefaultValue("application") IdentityDetail holder) {}
}
