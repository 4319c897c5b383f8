package io.distributedlock.campaign;

import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.history.CampaignReport;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.HistoryChecker;
import io.distributedlock.testkit.history.HistoryFiles;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.Rest;
import io.distributedlock.testkit.history.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One round of the campaign: a server, clients here and in child processes, faults of all kinds, and a check when all is quiet again. */
final class Round {

    private static final int SEATS = 3;
    private static final int THREADS = 2;
    private static final int CHILDREN = 2;
    private static final int CONTENDED = 4;
    private static final int OWN_KEYS = SEATS * THREADS + CHILDREN * ChildSeat.THREADS;
    private static final Timing TIMING = Timing.ofMillis(200, 1_000);
    private static final Duration SAMPLE_PERIOD = Duration.ofMillis(4);
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(15);

    /** A call takes several steps on several threads, each of which may be late. */
    private static final int LATE_STEPS = 5;

    private final List<ChildSeat> children = new ArrayList<>();
    private final List<Injector> injectors = new ArrayList<>();
    private final Set<Thread> threadsBefore = Leftover.threads();
    private final StallMeter stalls = new StallMeter();
    private final Work work;
    private final Random seeds;
    private final boolean durable;
    private final Path folder;
    private History history = History.of(List.of());

    /** @param durable whether the server keeps its data over a kill */
    Round(Work work, long seed, boolean durable, Path folder) {
        this.work = work;
        this.seeds = new Random(seed);
        this.durable = durable;
        this.folder = folder;
    }

    /** Runs for so long, heals everything, waits for quiet, and checks. */
    CampaignReport run(Duration length) {
        Setting setting = new Setting(SEATS, THREADS, CONTENDED, OWN_KEYS, TIMING, work.mix(false));
        try (RedisServer server = RedisServer.start(arguments())) {
            List<String> surprises = new ArrayList<>();
            Map<String, Long> gauges = new HashMap<>();
            List<String> keys;
            Stage stage = new Stage(server, setting, folder, SAMPLE_PERIOD);
            try (stage) {
                play(stage, length);
                keys = quiet(stage, gauges, surprises);
            } finally {
                children.forEach(ChildSeat::close);
            }
            stalls.close();
            gauges.put("threads", threadsLeft());
            history = stage.recorder()
                    .history()
                    .plus(HistoryFiles.merge(
                            children.stream().flatMap(ChildSeat::eventFiles).toList()))
                    .withRest(new Rest(keys, gauges));
            return report(surprises);
        }
    }

    private String[] arguments() {
        return durable ? new String[] {"--appendonly", "yes", "--appendfsync", "always"} : new String[0];
    }

    private void play(Stage stage, Duration length) {
        for (int i = 0; i < seatsOfChildren(); i++) {
            int firstOwnKey = CONTENDED + SEATS * THREADS + i * ChildSeat.THREADS;
            children.add(new ChildSeat(stage, i, firstOwnKey, seeds.nextLong(), work));
        }
        stage.open(Mutation.NONE, seeds);
        children.forEach(ChildSeat::awaitReady);
        List<Line> lines = new ArrayList<>(stage.seats());
        lines.addAll(children);
        inject("lines", new LineFaults(stage, lines).all(), stage, Duration.ofMillis(300));
        inject("server", new ServerFaults(stage).all(durable), stage, Duration.ofMillis(1_500));
        if (!children.isEmpty()) {
            inject("clients", new ClientFaults(stage, children).all(), stage, Duration.ofMillis(2_500));
        }
        stage.pacer().pause(length);
        stage.pacer().end();
        injectors.forEach(Injector::awaitEnd);
    }

    /** A short run with all kinds of locks does without: what a killed process leaves behind would take longer than the run. */
    private int seatsOfChildren() {
        return work == Work.PLAIN || Budget.isLong() ? CHILDREN : 0;
    }

    private void inject(String name, List<Disturbance> kinds, Stage stage, Duration rest) {
        injectors.add(Injector.start(name, kinds, stage.pacer(), rest, seeds.nextLong()));
    }

    /** Ends all work; gives the keys that do not vanish. */
    private List<String> quiet(Stage stage, Map<String, Long> gauges, List<String> surprises) {
        stage.stop();
        children.forEach(child -> gauges.put("unresolved in " + child.process(), child.finish()));
        for (Seat seat : stage.seats()) {
            Pacer.await(QUIET_LIMIT, () -> seat.subject().client().unresolved() == 0);
            gauges.put("unresolved in " + seat.process(), (long)
                    seat.subject().client().unresolved());
            gauges.put("held in " + seat.process(), (long)
                    seat.subject().client().held().size());
        }
        Pacer.await(QUIET_LIMIT, () -> Leftover.lockKeys(stage.server()).isEmpty());
        List<String> keys = Leftover.lockKeys(stage.server());
        for (Seat seat : stage.seats()) {
            seat.subject().close();
            Pacer.await(QUIET_LIMIT, () -> seat.relay().connections().isEmpty());
            gauges.put("connections of " + seat.process(), (long)
                    seat.relay().connections().size());
        }
        stage.surprises().forEach(each -> surprises.add(each.toString()));
        children.forEach(child -> surprises.addAll(child.surprises()));
        injectors.forEach(each -> each.surprises().forEach(surprise -> surprises.add(surprise.toString())));
        return keys;
    }

    private long threadsLeft() {
        Pacer.await(QUIET_LIMIT, () -> newThreads().isEmpty());
        return newThreads().size();
    }

    private Set<Thread> newThreads() {
        Set<Thread> threads = new HashSet<>(Leftover.threads());
        threads.removeAll(threadsBefore);
        return threads;
    }

    private CampaignReport report(List<String> surprises) {
        List<Violation> violations = new ArrayList<>(HistoryChecker.check(history, limits()));
        surprises.forEach(text -> violations.add(new Violation("nothing unexpected is thrown", "", text, List.of())));
        long cycles = history.events().stream()
                .filter(event -> event.kind() == EventKind.RELEASED)
                .count();
        return new CampaignReport(work.at("single"), cycles, history.faults().size(), violations);
    }

    /** No hold lasts longer unnoticed than an explicit ttl; the longest lease of a mortal is 5.5 s; and the machine may be slow. */
    private Limits limits() {
        return new Limits(
                TIMING.commandTimeout(),
                Duration.ofMillis(1_000),
                Duration.ofMillis(250),
                Duration.ofSeconds(5),
                Duration.ofMillis(5_500),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofMillis(300).plus(stalls.longest().multipliedBy(LATE_STEPS)));
    }

    History history() {
        return history;
    }

    /** How many faults of each kind were injected. */
    Map<String, Integer> faults() {
        Map<String, Integer> faults = new HashMap<>();
        injectors.forEach(
                injector -> injector.counts().forEach((name, count) -> faults.merge(name, count, Integer::sum)));
        return faults;
    }
}
