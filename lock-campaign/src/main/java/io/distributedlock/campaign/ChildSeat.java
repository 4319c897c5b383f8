package io.distributedlock.campaign;

import io.distributedlock.testkit.ChildJvm;
import io.distributedlock.testkit.Relay;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A place for one child process at a time: when it is killed, another one with a new name follows. */
final class ChildSeat implements Line, AutoCloseable {

    static final int THREADS = 2;

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final int MAX_INCARNATIONS = 1_000;

    private final List<String> incarnations = new ArrayList<>();
    private final List<String> surprises = new ArrayList<>();
    private final Stage stage;
    private final int number;
    private final int firstOwnKey;
    private final Random seeds;
    private final Work work;
    private final Relay relay;
    private volatile String process = "";
    private ChildJvm jvm;

    /** @param number its place among all seats of children */
    ChildSeat(Stage stage, int number, int firstOwnKey, long seed, Work work) {
        this.stage = stage;
        this.number = number;
        this.firstOwnKey = firstOwnKey;
        this.seeds = new Random(seed);
        this.work = work;
        this.relay = Relay.to(stage.server().port());
        this.jvm = start();
    }

    private ChildJvm start() {
        process = "c" + number + "." + incarnations.size();
        incarnations.add(process);
        Arena arena = stage.arena();
        ChildOrders orders = new ChildOrders(
                relay.uri(),
                process,
                stage.folder().toAbsolutePath(),
                arena.contended(),
                arena.keys(),
                stage.setting().timing(),
                THREADS,
                Stage.firstIdOf(processNumber()),
                firstOwnKey,
                seeds.nextLong(),
                work);
        return ChildJvm.start(CampaignChild.class, orders.arguments());
    }

    private int processNumber() {
        return stage.setting().seats() + number * MAX_INCARNATIONS + incarnations.size();
    }

    void awaitReady() {
        jvm.awaitLine(CampaignChild.READY::equals, START_LIMIT);
    }

    /** Kills the process wherever it is in its work, and starts the next one. */
    void replace() {
        try (OpenFault fault = stage.recorder().fault("child killed", process)) {
            stage.recorder().killing(process);
            jvm.close();
            stage.arena().word().evict(id -> Stage.belongsTo(processNumber(), id));
        }
        jvm = start();
        awaitReady();
    }

    /** Lets the whole process stand still. */
    void freeze(Duration time) {
        try (OpenFault fault = stage.recorder().fault("child frozen", process, Effect.CLIENT_PAUSED)) {
            jvm.pause();
            stage.pacer().pause(time);
            jvm.resume();
        }
    }

    /** Ends the process in order, and gives the number of claims that it could not clean up. */
    long finish() {
        jvm.send(CampaignChild.STOP);
        String line = jvm.awaitLine(
                text -> text.startsWith(CampaignChild.LEFT) || text.startsWith(CampaignChild.SURPRISE), START_LIMIT);
        while (line.startsWith(CampaignChild.SURPRISE)) {
            surprises.add(process + ": " + line);
            line = jvm.nextLine(START_LIMIT);
        }
        int code = jvm.exitCode();
        if (code != 0) {
            surprises.add(process + ": exit code " + code);
        }
        return Long.parseLong(line.substring(CampaignChild.LEFT.length()));
    }

    List<String> surprises() {
        return surprises;
    }

    /** What all incarnations have recorded. */
    Stream<Path> eventFiles() {
        return incarnations.stream().map(name -> stage.folder().resolve(name + ".events"));
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
