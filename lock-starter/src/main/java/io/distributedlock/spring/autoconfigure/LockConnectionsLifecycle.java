package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.redis.RedisConnections;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Lets go of all locks when the application context stops or is paused, and connects again when it is started again.
 *
 * <p>It starts before and stops after everything that uses locks in the usual phases, web servers, listeners and schedulers among them, but
 * stops before the connection factory of the application.
 */
final class LockConnectionsLifecycle implements SmartLifecycle {

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);
    private static final int AFTER_CONNECTION_FACTORY = 1;

    private final LockClient client;
    private final RedisConnections connections;
    private volatile boolean running;

    LockConnectionsLifecycle(LockClient client, RedisConnections connections) {
        this.client = client;
        this.connections = connections;
    }

    @Override
    public void start() {
        connections.start();
        running = true;
    }

    @Override
    public void stop() {
        client.drain(DRAIN_LIMIT);
        connections.stop();
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
