package io.distributedlock.campaign.process;

import io.distributedlock.campaign.workload.SharedState;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.relay.Relay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A child process; when it is killed, another one with a new name follows it. */
public final class ChildProcess implements Link, AutoCloseable {

    public static final int THREADS = 2;

    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final int MAX_INCARNATIONS = 1_000;

    private final List<String> incarnations = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final Environment environment;
    private final int number;
    private final int firstOwnKey;
    private final Random seeds;
    private final WorkloadType type;
    private final Relay relay;
    private volatile String process = "";
    private ChildJvm jvm;

    /** @param number its place among all clients of children */
    public ChildProcess(Environment environment, int number, int firstOwnKey, long seed, WorkloadType type) {
        this.environment = environment;
        this.number = number;
        this.firstOwnKey = firstOwnKey;
        this.seeds = new Random(seed);
        this.type = type;
        this.relay = Relay.to(environment.server().port());
        this.jvm = start();
    }

    private ChildJvm start() {
        process = "c" + number + "." + incarnations.size();
        incarnations.add(process);
        SharedState sharedState = environment.sharedState();
        ChildArguments arguments = new ChildArguments(
                relay.uri(),
                process,
                environment.folder().toAbsolutePath(),
                sharedState.contended(),
                sharedState.keys(),
                environment.workload().timing(),
                THREADS,
                Environment.firstIdOf(processNumber()),
                firstOwnKey,
                seeds.nextLong(),
                type);
        return ChildJvm.start(CampaignChild.class, arguments.arguments());
    }

    private int processNumber() {
        return environment.workload().clients() + number * MAX_INCARNATIONS + incarnations.size();
    }

    public void awaitReady() {
        jvm.awaitLine(CampaignChild.READY::equals, START_LIMIT);
    }

    /** Kills the process wherever it is in its work, and starts the next one. */
    public void replace() {
        try (OpenFault fault = environment.recorder().fault("child killed", process)) {
            environment.recorder().killing(process);
            jvm.close();
            environment.sharedState().word().evict(id -> Environment.belongsTo(processNumber(), id));
        }
        jvm = start();
        awaitReady();
    }

    /** Pauses the whole process. */
    public void freeze(Duration time) {
        try (OpenFault fault = environment.recorder().fault("child frozen", process, Effect.CLIENT_PAUSED)) {
            jvm.pause();
            environment.pacer().pause(time);
            jvm.resume();
        }
    }

    /** Ends the process in order, and returns the number of claims that it could not clean up. */
    public long finish() {
        jvm.send(CampaignChild.STOP);
        String line = jvm.awaitLine(
                text -> text.startsWith(CampaignChild.LEFT) || text.startsWith(CampaignChild.ERROR), START_LIMIT);
        while (line.startsWith(CampaignChild.ERROR)) {
            errors.add(process + ": " + line);
            line = jvm.nextLine(START_LIMIT);
        }
        int code = jvm.exitCode();
        if (code != 0) {
            errors.add(process + ": exit code " + code);
        }
        return Long.parseLong(line.substring(CampaignChild.LEFT.length()));
    }

    public List<String> errors() {
        return errors;
    }

    /** What all incarnations have recorded. */
    public Stream<Path> eventFiles() {
        return incarnations.stream().map(name -> environment.folder().resolve(name + ".events"));
    }

    @Override
    public String process() {
        return process;
    }

    @Override
    public Relay relay() {
        return relay;
    }

    @Override
    public void close() {
        jvm.close();
        relay.close();
    }
}
