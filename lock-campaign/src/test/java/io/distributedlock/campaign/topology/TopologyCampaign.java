package io.distributedlock.campaign.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.campaign.HistoryDump;
import io.distributedlock.campaign.process.Directories;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.check.Violation;
import io.distributedlock.testkit.specification.Conformance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One campaign on a topology, with its line in the log; its history is kept if it finds a violation. */
public final class TopologyCampaign {

    private static final int READABLE = 20;

    private TopologyCampaign() {}

    public static void run(WorkloadType type, Topology opened, Duration length) {
        try (Topology topology = opened;
                TopologyClients clients = TopologyClients.open(topology)) {
            CampaignReport report = round(type, topology, clients, length);
            assertThat(report.violations()).isEmpty();
            assertThat(report.cycles()).isPositive();
            assertThat(report.faults()).isPositive();
        }
    }

    /** A round with these clients, after which all is at rest; a history outside of the specification violates it. */
    static CampaignReport round(WorkloadType type, Topology topology, TopologyClients clients, Duration length) {
        long seed = Long.getLong("distributedlock.campaign.seed", System.nanoTime());
        Path folder = Path.of("target", "campaign", type.folder(topology.name(), seed));
        TopologyRun run = new TopologyRun(type, topology, clients, seed, folder);
        CampaignReport report = run.run(length);
        Conformance conformance = run.conformance();
        System.out.println(report.line());
        System.out.println(conformance.line());
        List<Violation> rejections = conformance.rejections().stream()
                .map(each -> new Violation("the specification", each.key(), each.message(), each.events()))
                .toList();
        CampaignReport all = report.and(new CampaignReport(topology.name(), 0, 0, rejections));
        if (all.violations().isEmpty()) {
            Directories.delete(folder);
        } else {
            HistoryDump.write(folder, run.history(), report);
            System.out.println("violations with the seed " + seed + ", kept in " + folder + ":");
            all.violations().stream().limit(READABLE).forEach(System.out::println);
        }
        return all;
    }
}
