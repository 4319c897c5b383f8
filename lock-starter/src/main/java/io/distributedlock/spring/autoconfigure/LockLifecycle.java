package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.redis.RedisLockConnection;
import java.time.Duration;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Releases all locks when the application context stops or is paused, and connects again when it is started again.
 *
 * <p>It starts before and stops after everything that uses locks in the usual phases, web servers with their graceful shutdown, listeners and
 * schedulers among them, but stops before the connection factory of the application. From then on, whoever waits for a lock is told so at once.
 * Work that still runs under a lock has the drain time to end.
 */
final class LockLifecycle implements SmartLifecycle {

    private static final Duration CLEAN_UP_LIMIT = Duration.ofSeconds(2);
    private static final Duration START_PAUSE = Duration.ofSeconds(1);
    private static final int AFTER_CONNECTION_FACTORY = 1;

    private final LockClient client;
    private final List<RedisLockConnection> connections;
    private final Duration drainTime;
    private volatile boolean running;

    /** @param connections those of the client's store, if it has any */
    LockLifecycle(LockClient client, List<RedisLockConnection> connections, Duration drainTime) {
        this.client = client;
        this.connections = connections;
        this.drainTime = drainTime;
    }

    @Override
    public void start() {
        for (RedisLockConnection each : connections) {
            each.start(START_PAUSE);
        }
        running = true;
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
