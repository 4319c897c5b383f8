package io.distributedlock.simulation;

import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.redis.TimedConnections;
import io.distributedlock.simulation.clock.SimulatedProcess;
import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.simulation.network.Link;
import io.distributedlock.simulation.network.ServerHost;
import io.distributedlock.simulation.network.SimulatedClientSource;
import java.time.Duration;
import java.util.Random;

/** A process with a lock client, and its way to the server. */
final class Client {

    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);

    private static final long TICK_NANOS = Duration.ofMillis(20).toNanos();

    private final String name;
    private final Timeline timeline;
    private final SimulatedProcess process;
    private final Link link;
    private final RedisLockConnection connection;
    private final DefaultLockClient locks;
    private boolean begun;
    private long origin;
    private long calmSince;
    private long pausedUntil;
    private long asleepUntil = Long.MIN_VALUE / 2;
    private long paused;

    Client(Timeline timeline, Random dice, ServerHost host, Setting setting, int number, long seed) {
        this.name = "p" + number;
        this.timeline = timeline;
        this.process = new SimulatedProcess(timeline);
        this.link = new Link(process, timeline, dice, host, String.valueOf(number));
        link.trouble(setting.trouble() / 10);
        SimulatedClientSource source = new SimulatedClientSource(link, timeline, seed + number);
        this.connection = TimedConnections.of(source, COMMAND_TIMEOUT, process::now);
        RedisLockStore store = new RedisLockStore(connection, "lock", setting.queues());
        source.connect(connection);
        this.locks = new DefaultLockClientBuilder(store)
                .waitTime(Duration.ofSeconds(5))
                .ttl(Duration.ofMillis(setting.ttlMillis()))
                .commandTimeout(COMMAND_TIMEOUT)
                .timeline(process)
                .barging(setting.barging())
                .executor(Runnable::run)
                .signals(Runnable::run)
                .build();
        process.run(() -> {});
    }

    /** The time in the owners that are made now. The engine, whose clock begins then, is made by the first call. */
    int tick() {
        if (!begun) {
            begun = true;
            origin = process.now();
        }
        return (int) ((process.now() - origin) / TICK_NANOS);
    }

    String name() {
        return name;
    }

    SimulatedProcess process() {
        return process;
    }

    Link link() {
        return link;
    }

    DefaultLockClient locks() {
        return locks;
    }

    /** Nothing runs in it, or it has just begun to run again. */
    boolean isStill() {
        return process.isEnded() || process.isPaused() || timeline.now() - pausedUntil < 20_000_000L;
    }

    /** Whether its machine was suspended after {@code instant}, so that its monotonic clock stood still. */
    boolean hasSleptSince(long instant) {
        return asleepUntil > instant;
    }

    long pausedUntil() {
        return pausedUntil;
    }

    /** For how long it has been paused so far. */
    long paused() {
        return paused;
    }

    void pause(Duration time, boolean asleep) {
        if (!process.isPaused()) {
            paused += time.toNanos();
            pausedUntil = timeline.now() + time.toNanos();
            if (asleep) {
                asleepUntil = pausedUntil;
                process.sleep(time);
            } else {
                process.pause(time);
            }
        }
    }

    void kill() {
        process.end();
        link.drop();
    }

    /** For how long nothing has kept it from the server. */
    Duration calmFor(boolean serverIsUp) {
        if (!serverIsUp || !link.isCalm() || isStill()) {
            calmSince = timeline.now();
        }
        // The client gives up a connection that is silent, and may have the next one before the next look.
        calmSince = Math.max(calmSince, link.openedAt());
        return Duration.ofNanos(timeline.now() - calmSince);
    }

    void stop() {
        connection.stop();
    }
}
