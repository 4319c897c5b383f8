package io.distributedlock.campaign;

import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.Relay;
import io.distributedlock.testkit.history.OwnerPoller;
import io.distributedlock.testkit.history.Recorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A Redis, the clients of this JVM that use it through relays, and all that watches them. */
final class Stage implements AutoCloseable {

    private static final int CAPACITY = 8_000_000;
    private static final int IDS_OF_A_PROCESS = 100;

    private final List<Seat> seats = new ArrayList<>();
    private final Recorder recorder = new Recorder(CAPACITY);
    private final Pacer pacer = new Pacer();
    private final BusyExecutor executor = new BusyExecutor();
    private final RedisServer server;
    private final Setting setting;
    private final Path folder;
    private final Arena arena;
    private final OwnerPoller poller;

    /** @param samplePeriod the pause between two looks at all keys */
    Stage(RedisServer server, Setting setting, Path folder, Duration samplePeriod) {
        this.server = server;
        this.setting = setting;
        this.folder = Folders.empty(folder);
        this.arena = Arena.open(folder, setting.contended(), setting.contended() + setting.ownKeys());
        this.poller = OwnerPoller.start(recorder, arena.redisKeys(), samplePeriod, server::port);
    }

    /** Connects the clients and sets their threads to work. */
    void open(Mutation mutation, Random seeds) {
        for (int i = 0; i < setting.seats(); i++) {
            Relay relay = Relay.to(server.port());
            Subject subject = Subject.open(relay.uri(), setting.timing(), executor, mutation);
            String process = "p" + i;
            seats.add(new Seat(process, relay, subject, new Party(process, subject, arena, recorder)));
            subject.warmUp("warm-up-" + process);
        }
        for (int i = 0; i < seats.size(); i++) {
            for (int j = 0; j < setting.threads(); j++) {
                int ownKey = setting.contended() + Math.min(i * setting.threads() + j, setting.ownKeys() - 1);
                seats.get(i).party().join(firstIdOf(i) + j, ownKey, setting.mix(), seeds.nextLong());
            }
        }
    }

    /** The first of the ids that belong to the threads of this process; processes of this JVM come first. */
    static long firstIdOf(int process) {
        return 1 + (long) process * IDS_OF_A_PROCESS;
    }

    static boolean belongsTo(int process, long id) {
        return id >= firstIdOf(process) && id < firstIdOf(process + 1);
    }

    /** Ends the work of all threads. */
    void stop() {
        seats.forEach(seat -> seat.party().stop());
    }

    List<Throwable> surprises() {
        return seats.stream().flatMap(seat -> seat.party().surprises().stream()).toList();
    }

    RedisServer server() {
        return server;
    }

    Setting setting() {
        return setting;
    }

    Recorder recorder() {
        return recorder;
    }

    Pacer pacer() {
        return pacer;
    }

    BusyExecutor executor() {
        return executor;
    }

    Path folder() {
        return folder;
    }

    Arena arena() {
        return arena;
    }

    List<Seat> seats() {
        return seats;
    }

    @Override
    public void close() {
        seats.forEach(Seat::close);
        executor.close();
        poller.close();
    }
}
