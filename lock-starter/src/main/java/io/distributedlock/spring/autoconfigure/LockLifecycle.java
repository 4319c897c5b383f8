package io.distributedlock.spring.autoconfigure;

import static java.util.Objects.requireNonNullElse;

import io.distributedlock.LockClient;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.spring.LockConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Releases all locks when the application context stops or is paused, and connects again when it is started again.
 *
 * <p>At each start it logs one line about where locks are kept.
 *
 * <p>It starts before and stops after everything that uses locks in the usual phases, web servers with their graceful
 * shutdown, listeners and schedulers among them, but stops before the connection factory of the application. From then
 * on, calls that wait for a lock fail at once. Work that still runs under a lock has the drain time to end.
 */
final class LockLifecycle implements SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(LockLifecycle.class);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLEAN_UP_LIMIT = Duration.ofSeconds(2);
    private static final Duration START_PAUSE = Duration.ofSeconds(1);
    private static final int AFTER_CONNECTION_FACTORY = 1;

    private final LockClient client;
    private final List<RedisLockConnection> connections;
    private final Duration drainTime;
    private final boolean failFast;
    private final String summary;
    private volatile boolean running;

    /**
     * @param connections those of the client's store, if it has any
     * @param failFast whether the start waits for them, and fails if one of them cannot be opened
     * @param summary what is logged at the start
     */
    LockLifecycle(
            LockClient client,
            List<RedisLockConnection> connections,
            Duration drainTime,
            boolean failFast,
            String summary) {
        this.client = client;
        this.connections = connections;
        this.drainTime = drainTime;
        this.failFast = failFast;
        this.summary = summary;
    }

    @Override
    public void start() {
        for (RedisLockConnection each : connections) {
            each.start(failFast ? Duration.ZERO : START_PAUSE);
        }
        if (failFast) {
            connections.forEach(LockLifecycle::requireOpen);
        }
        LOG.info(summary);
        running = true;
    }

    private static void requireOpen(RedisLockConnection connection) {
        try {
            connection
                    .ready()
                    .toCompletableFuture()
                    .orTimeout(CONNECT_LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failed) {
            Throwable cause = requireNonNullElse(failed.getCause(), failed);
            throw new LockConfigurationException(
                    "The start needs the Redis of the locks, because distributed-lock.redis.fail-fast is true: "
                            + cause.getMessage(),
                    "Check the address and the credentials in spring.data.redis.* or distributed-lock.redis.url, or let"
                            + " the application start without Redis: distributed-lock.redis.fail-fast=false",
                    cause);
        }
    }

    @Override
    public void stop() {
        client.drain(drainTime, drainTime.plus(CLEAN_UP_LIMIT));
        connections.forEach(RedisLockConnection::stop);
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return AFTER_CONNECTION_FACTORY;
    }
}
