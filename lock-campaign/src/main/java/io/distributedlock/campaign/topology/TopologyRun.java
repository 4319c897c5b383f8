package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.fault.FaultInjector;
import io.distributedlock.campaign.process.Directories;
import io.distributedlock.campaign.process.Environment;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.workload.CampaignMix;
import io.distributedlock.campaign.workload.SharedState;
import io.distributedlock.campaign.workload.WorkerGroup;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.check.HistoryChecker;
import io.distributedlock.testkit.check.Violation;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.FinalState;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.process.StallMeter;
import io.distributedlock.testkit.specification.Conformance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One round on several servers: clients that work, faults of the servers, and a check when all is quiet again. */
final class TopologyRun {

    private static final int THREADS = 2;
    static final int CONTENDED = 4;
    private static final int CAPACITY = 8_000_000;
    private static final Duration REST = Duration.ofSeconds(2);
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(30);
    private static final int LATE_STEPS = 5;

    private final List<WorkerGroup> groups = new ArrayList<>();
    private final Recorder recorder = new Recorder(CAPACITY);
    private final Pacer pacer = new Pacer();
    private final StallMeter stalls = new StallMeter();
    private final Map<String, Long> gauges = new HashMap<>();
    private final List<String> left = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final WorkloadType type;
    private final Topology topology;
    private final List<ClientUnderTest> clients;
    private final Random seeds;
    private final SharedState sharedState;
    private History history = History.of(List.of());

    TopologyRun(WorkloadType type, Topology topology, TopologyClients clients, long seed, Path folder) {
        this.type = type;
        this.topology = topology;
        this.clients = clients.all();
        this.seeds = new Random(seed);
        this.sharedState =
                SharedState.open(Directories.empty(folder), CONTENDED, CONTENDED + this.clients.size() * THREADS);
    }

    /** Runs for so long, heals everything, waits for quiet, and checks. */
    CampaignReport run(Duration length) {
        try {
            for (int i = 0; i < clients.size(); i++) {
                join("p" + i, i, clients.get(i));
            }
            FaultInjector injector =
                    FaultInjector.start("servers", topology.faults(recorder, pacer), pacer, REST, seeds.nextLong());
            pacer.pause(length);
            pacer.end();
            injector.awaitEnd();
            injector.errors().forEach(each -> errors.add(each.toString()));
            quiet();
        } catch (RuntimeException unexpected) {
            errors.add(unexpected.toString());
        }
        stalls.close();
        history = recorder.history().withRest(new FinalState(left, gauges));
        return report();
    }

    private void join(String process, int number, ClientUnderTest underTest) {
        WorkerGroup workers = new WorkerGroup(process, underTest, sharedState, recorder);
        groups.add(workers);
        for (int i = 0; i < THREADS; i++) {
            int ownKey = CONTENDED + number * THREADS + i;
            workers.join(Environment.firstIdOf(number) + i, ownKey, type.mix(true), seeds.nextLong());
        }
    }

    private void quiet() {
        for (WorkerGroup workers : groups) {
            workers.stop();
            workers.errors().forEach(each -> errors.add(each.toString()));
        }
        for (ClientUnderTest underTest : clients) {
            Pacer.await(QUIET_LIMIT, () -> underTest.client().unresolved() == 0);
            gauges.merge("unresolved", (long) underTest.client().unresolved(), Long::sum);
            gauges.merge("held", (long) underTest.client().held().size(), Long::sum);
        }
        // A client that has just reconnected tries a lock of its own, for a moment.
        if (!Pacer.await(QUIET_LIMIT, () -> topology.leftover().isEmpty())) {
            left.addAll(topology.leftover());
        }
    }

    private CampaignReport report() {
        List<Violation> violations = new ArrayList<>(HistoryChecker.check(history, limits()));
        errors.forEach(text -> violations.add(new Violation("nothing unexpected is thrown", "", text, List.of())));
        long cycles = history.events().stream()
                .filter(event -> event.kind() == EventKind.RELEASED)
                .count();
        return new CampaignReport(
                type.at(topology.name()), cycles, history.faults().size(), violations);
    }

    /**
     * A holder learns of a lost lock when it is connected to the new master, at the latest with its next renewal after
     * that.
     */
    private Limits limits() {
        return new Limits(
                TopologyClients.TIMING.commandTimeout(),
                Duration.ofSeconds(6),
                Duration.ofMillis(250),
                Duration.ofSeconds(5),
                CampaignMix.LONGEST_LEASE_OF_A_KILLABLE_CLIENT,
                topology.recovery(),
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
}
