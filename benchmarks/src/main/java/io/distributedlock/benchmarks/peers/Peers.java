package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures how fast this library and its peers are, side by side. */
public final class Peers implements Program {

    private static final List<Scenario> SCENARIOS = List.of(
            FreeLocks.oneThread(),
            FreeLocks.distinctKeys(),
            HotLock.inOneProcess(),
            HotLock.inFourProcesses(),
            new HandOver(),
            new ServerCycle(),
            new LongWait(),
            new ConnectionCuts(),
            new ManyClients());

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public String purpose() {
        return "how fast locks are, in ratios to other libraries; 20 minutes, with --short 4; also --scenario 3,4"
                + " --peers ours,redisson"
                + " --profile FILE.jfr";
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        Choice choice = Choice.of(options, SCENARIOS);
        List<Table> tables = new ArrayList<>();
        boolean kept = true;
        for (Scenario scenario : choice.scenarios()) {
            long begin = System.nanoTime();
            Disturbance disturbance = new Disturbance();
            Comparison comparison = compare(scenario, choice.setting(scenario, progress));
            Optional<String> disturbed = disturbance.text();
            progress.println("scenario " + scenario.id() + " took "
                    + Duration.ofNanos(System.nanoTime() - begin).toSeconds() + " s"
                    + (choice.scale().isShort() ? " of " + scenario.shortLimit().toSeconds() + " s" : ""));
            if (!comparison.lines().isEmpty()) {
                tables.add(ComparisonTable.of(scenario, comparison, disturbed));
            }
            kept &= comparison.isSound();
            kept &= ComparisonTable.results(scenario, comparison).stream().allMatch(TargetResult::isMet);
        }
        return new Report(name(), MeasuredVersions.describe(choice.scale()), tables, notes(), kept);
    }

    /** What fails as a whole costs this scenario its figures and nothing else. */
    private static Comparison compare(Scenario scenario, RunOptions setting) {
        try {
            return scenario.run(setting);
        } catch (RuntimeException failure) {
            setting.progress().println("scenario " + scenario.id() + " failed: " + failure);
            return Comparison.failed(setting.peers(), failure.toString());
        }
    }

    private static List<String> notes() {
        return List.of(
                "Medians over rounds in which the peers take turns; of the main figure also the smallest and the"
                        + " largest. Server, clients and this"
                        + " program share the processors of one machine, so only ratios of one run mean something.",
                "x target: what was seen in proportion to what is promised; below 1 the promise is missed. The raw"
                        + " peers are floors, not locks:"
                        + " raw-blpop has neither lease nor owner.",
                "Leases last 30 s; ours, Redisson's and Spring Integration's are renewed. shedlock releases by an"
                        + " unconditional DEL.");
    }
}
