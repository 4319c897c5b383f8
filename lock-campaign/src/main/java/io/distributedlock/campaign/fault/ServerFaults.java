package io.distributedlock.campaign.fault;

import static java.util.Objects.requireNonNull;

import io.distributedlock.SegmentedLock;
import io.distributedlock.campaign.process.Directories;
import io.distributedlock.campaign.process.Environment;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.workload.SharedState;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Faults of the server, which all clients meet at once. For one thread, because a server has one state. */
public final class ServerFaults {

    private final RedisServer server;
    private final Recorder recorder;
    private final Pacer pacer;
    private final int contended;
    private final Duration commandTimeout;

    public ServerFaults(Environment environment) {
        this(
                environment.server(),
                environment.recorder(),
                environment.pacer(),
                environment.sharedState().contended(),
                environment.workload().timing().commandTimeout());
    }

    /** @param contended how many keys all threads use */
    public ServerFaults(RedisServer server, Recorder recorder, Pacer pacer, int contended, Duration commandTimeout) {
        this.server = server;
        this.recorder = recorder;
        this.pacer = pacer;
        this.contended = contended;
        this.commandTimeout = commandTimeout;
    }

    /** @param durable whether the server writes every command to disk before it answers */
    public List<FaultType> all(boolean durable) {
        List<FaultType> all = new ArrayList<>(List.of(
                new FaultType("server stopped for less than a command timeout", 3, random -> stop(random, 20, 80)),
                new FaultType("server stopped for longer than a command timeout", 4, random -> stop(random, 120, 300)),
                new FaultType("server stopped for longer than a lease", 1, random -> stop(random, 510, 650)),
                new FaultType("writes paused", 3, random -> pauseClients(random, "WRITE")),
                new FaultType("all commands paused", 2, random -> pauseClients(random, "ALL")),
                new FaultType("all clients killed", 3, random -> killClients()),
                new FaultType("scripts flushed", 3, random -> flushScripts()),
                new FaultType("out of memory", 3, this::runOutOfMemory),
                new FaultType("a key deleted", 2, this::deleteKey),
                new FaultType("everything flushed", 1, random -> flushAll()),
                new FaultType("server killed with loss of its data", 1, random -> killAndForget())));
        if (durable) {
            all.add(new FaultType("server killed without loss of data", 3, random -> kill()));
        }
        return all;
    }

    /** The bounds are in percent of the command timeout. */
    private void stop(Random random, int shortest, int longest) {
        Duration time = commandTimeout
                .multipliedBy(shortest + random.nextInt(longest - shortest))
                .dividedBy(100);
        stop(time);
    }

    void stop(Duration time) {
        try (OpenFault fault = recorder.fault("server stopped", Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)) {
            server.pause();
            pacer.pause(time);
            server.resume();
        }
    }

    private void pauseClients(Random random, String what) {
        long millis = Pacer.between(random, commandTimeout.dividedBy(4), commandTimeout.multipliedBy(3))
                .toMillis();
        try (OpenFault fault =
                recorder.fault("clients paused " + what, Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)) {
            server.command("CLIENT", "PAUSE", Long.toString(millis), what);
            // A write, which is answered when the pause is over.
            server.command("DEL", "no-such-key");
        }
    }

    private void killClients() {
        try (OpenFault fault = recorder.fault("clients killed", Effect.SERVER_UNREACHABLE)) {
            server.command("CLIENT", "KILL", "TYPE", "normal");
            pacer.pause(commandTimeout);
        }
    }

    private void flushScripts() {
        try (OpenFault fault = recorder.fault("scripts flushed")) {
            server.command("SCRIPT", "FLUSH");
        }
    }

    private void runOutOfMemory(Random random) {
        try (OpenFault fault = recorder.fault("out of memory")) {
            server.command("CONFIG", "SET", "maxmemory", "1");
            pacer.pause(random, commandTimeout, commandTimeout.multipliedBy(3));
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    void deleteKey(Random random) {
        String key = SegmentedLock.keyOf(SharedState.HOT, random.nextInt(contended));
        try (OpenFault fault = recorder.fault("key deleted", Effect.STATE_DESTROYED)) {
            server.command("DEL", SharedState.redisKey(key));
        }
    }

    void flushAll() {
        try (OpenFault fault = recorder.fault("everything flushed", Effect.STATE_DESTROYED)) {
            server.command("FLUSHALL");
        }
    }

    private void kill() {
        try (OpenFault fault = recorder.fault("server killed", Effect.SERVER_UNREACHABLE)) {
            server.kill();
            server.restart();
            pacer.pause(commandTimeout);
        }
    }

    private void killAndForget() {
        try (OpenFault fault =
                recorder.fault("server killed, data lost", Effect.SERVER_UNREACHABLE, Effect.STATE_DESTROYED)) {
            List<?> workload = requireNonNull((List<?>) server.command("CONFIG", "GET", "dir"));
            server.kill();
            Directories.delete(Path.of(String.valueOf(workload.get(1)), "appendonlydir"));
            server.restart();
            pacer.pause(commandTimeout);
        }
    }
}
