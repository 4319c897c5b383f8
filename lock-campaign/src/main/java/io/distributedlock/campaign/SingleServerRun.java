package io.distributedlock.campaign;

import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.campaign.client.Timing;
import io.distributedlock.campaign.fault.ClientFaults;
import io.distributedlock.campaign.fault.FaultInjector;
import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.fault.LinkFaults;
import io.distributedlock.campaign.fault.ServerFaults;
import io.distributedlock.campaign.process.ChildProcess;
import io.distributedlock.campaign.process.ClientProcess;
import io.distributedlock.campaign.process.Environment;
import io.distributedlock.campaign.process.Leftovers;
import io.distributedlock.campaign.process.Link;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.workload.Workload;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.check.HistoryChecker;
import io.distributedlock.testkit.check.Violation;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.FinalState;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.HistoryFiles;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.process.StallMeter;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.specification.Conformance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * One round of the campaign: a server, clients here and in child processes, faults of all kinds, and a check when all
 * is quiet again.
 */
final class SingleServerRun {

    private static final int CLIENTS = 3;
    private static final int THREADS = 2;
    private static final int CHILDREN = 2;
    private static final int CONTENDED = 4;
    private static final int OWN_KEYS = CLIENTS * THREADS + CHILDREN * ChildProcess.THREADS;
    private static final Timing TIMING = Timing.ofMillis(200, 1_000);
    private static final Duration SAMPLE_PERIOD = Duration.ofMillis(4);
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(15);

    /** A call takes several steps on several threads, each of which may be late. */
    private static final int LATE_STEPS = 5;

    private final List<ChildProcess> children = new ArrayList<>();
    private final List<FaultInjector> injectors = new ArrayList<>();
    private final Set<Thread> threadsBefore = Leftovers.threads();
    private final StallMeter stalls = new StallMeter();
    private final WorkloadType type;
    private final Random seeds;
    private final boolean durable;
    private final Path folder;
    private History history = History.of(List.of());

    /** @param durable whether the server keeps its data over a kill */
    SingleServerRun(WorkloadType type, long seed, boolean durable, Path folder) {
        this.type = type;
        this.seeds = new Random(seed);
        this.durable = durable;
        this.folder = folder;
    }

    /** Runs for so long, heals everything, waits for quiet, and checks. */
    CampaignReport run(Duration length) {
        Workload workload = new Workload(CLIENTS, THREADS, CONTENDED, OWN_KEYS, TIMING, type.mix(false));
        try (RedisServer server = RedisServer.start(arguments())) {
            List<String> errors = new ArrayList<>();
            Map<String, Long> gauges = new HashMap<>();
            List<String> keys;
            Environment environment = new Environment(server, workload, folder, SAMPLE_PERIOD);
            try (environment) {
                runWorkload(environment, length);
                keys = quiet(environment, gauges, errors);
            } finally {
                children.forEach(ChildProcess::close);
            }
            stalls.close();
            gauges.put("threads", threadsLeft());
            history = environment
                    .recorder()
                    .history()
                    .plus(HistoryFiles.merge(
                            children.stream().flatMap(ChildProcess::eventFiles).toList()))
                    .withRest(new FinalState(keys, gauges));
            return report(errors);
        }
    }

    private String[] arguments() {
        return durable ? new String[] {"--appendonly", "yes", "--appendfsync", "always"} : new String[0];
    }

    private void runWorkload(Environment environment, Duration length) {
        for (int i = 0; i < seatsOfChildren(); i++) {
            int firstOwnKey = CONTENDED + CLIENTS * THREADS + i * ChildProcess.THREADS;
            children.add(new ChildProcess(environment, i, firstOwnKey, seeds.nextLong(), type));
        }
        environment.open(Mutation.NONE, seeds);
        children.forEach(ChildProcess::awaitReady);
        List<Link> lines = new ArrayList<>(environment.clients());
        lines.addAll(children);
        inject("lines", new LinkFaults(environment, lines).all(), environment, Duration.ofMillis(300));
        inject("server", new ServerFaults(environment).all(durable), environment, Duration.ofMillis(1_500));
        if (!children.isEmpty()) {
            inject("clients", new ClientFaults(environment, children).all(), environment, Duration.ofMillis(2_500));
        }
        environment.pacer().pause(length);
        environment.pacer().end();
        injectors.forEach(FaultInjector::awaitEnd);
    }

    /**
     * A short run with all kinds of locks does without: what a killed process leaves behind would take longer than the
     * run.
     */
    private int seatsOfChildren() {
        return type == WorkloadType.PLAIN || CampaignLength.isLong() ? CHILDREN : 0;
    }

    private void inject(String name, List<FaultType> kinds, Environment environment, Duration rest) {
        injectors.add(FaultInjector.start(name, kinds, environment.pacer(), rest, seeds.nextLong()));
    }

    /** Ends all work; returns the keys that do not vanish. */
    private List<String> quiet(Environment environment, Map<String, Long> gauges, List<String> errors) {
        environment.stop();
        children.forEach(child -> gauges.put("unresolved in " + child.process(), child.finish()));
        for (ClientProcess client : environment.clients()) {
            Pacer.await(QUIET_LIMIT, () -> client.underTest().client().unresolved() == 0);
            gauges.put("unresolved in " + client.process(), (long)
                    client.underTest().client().unresolved());
            gauges.put("held in " + client.process(), (long)
                    client.underTest().client().held().size());
        }
        Pacer.await(QUIET_LIMIT, () -> Leftovers.lockKeys(environment.server()).isEmpty());
        List<String> keys = Leftovers.lockKeys(environment.server());
        for (ClientProcess client : environment.clients()) {
            client.underTest().close();
            Pacer.await(QUIET_LIMIT, () -> client.relay().connections().isEmpty());
            gauges.put("connections of " + client.process(), (long)
                    client.relay().connections().size());
        }
        environment.errors().forEach(each -> errors.add(each.toString()));
        children.forEach(child -> errors.addAll(child.errors()));
        injectors.forEach(each -> each.errors().forEach(error -> errors.add(error.toString())));
        return keys;
    }

    private long threadsLeft() {
        Pacer.await(QUIET_LIMIT, () -> newThreads().isEmpty());
        return newThreads().size();
    }

    private Set<Thread> newThreads() {
        Set<Thread> threads = new HashSet<>(Leftovers.threads());
        threads.removeAll(threadsBefore);
        return threads;
    }

    private CampaignReport report(List<String> errors) {
        List<Violation> violations = new ArrayList<>(HistoryChecker.check(history, limits()));
        errors.forEach(text -> violations.add(new Violation("nothing unexpected is thrown", "", text, List.of())));
        long cycles = history.events().stream()
                .filter(event -> event.kind() == EventKind.RELEASED)
                .count();
        return new CampaignReport(type.at("single"), cycles, history.faults().size(), violations);
    }

    /**
     * No hold lasts longer unnoticed than an explicit ttl; the longest lease of a process that may be killed is 5.5 s;
     * and the machine may be slow.
     */
    Limits limits() {
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

    /** Whether the history is a behaviour of the specification. */
    Conformance conformance() {
        return Conformance.of(history, limits());
    }

    /** How many faults of each kind were injected. */
    Map<String, Integer> faults() {
        Map<String, Integer> faults = new HashMap<>();
        injectors.forEach(
                injector -> injector.counts().forEach((name, count) -> faults.merge(name, count, Integer::sum)));
        return faults;
    }
}
