package io.distributedlock.campaign.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.campaign.HistoryDump;
import io.distributedlock.campaign.process.Directories;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.specification.Conformance;
import java.nio.file.Path;
import java.time.Duration;

/** One campaign on a topology, with its line in the log; its history is kept if it finds a violation. */
public final class TopologyCampaign {

    private static final int READABLE = 20;

    private TopologyCampaign() {}

    public static void run(WorkloadType type, Topology opened, Duration length) {
        long seed = Long.getLong("distributedlock.campaign.seed", System.nanoTime());
        Path folder = Path.of("target", "campaign", type.folder(opened.name(), seed));
        try (Topology topology = opened) {
            TopologyRun run = new TopologyRun(type, topology, seed, folder);
            CampaignReport report = run.run(length);
            Conformance conformance = run.conformance();
            System.out.println(report.line());
            System.out.println(conformance.line());
            if (!report.violations().isEmpty() || conformance.rejected() > 0) {
                HistoryDump.write(folder, run.history(), report);
                System.out.println("violations with the seed " + seed + ", kept in " + folder + ":");
                report.violations().stream().limit(READABLE).forEach(System.out::println);
                conformance.rejections().stream().limit(READABLE).forEach(System.out::println);
            }
            assertThat(report.violations()).isEmpty();
            assertThat(conformance.rejections()).isEmpty();
            assertThat(report.cycles()).isPositive();
            assertThat(report.faults()).isPositive();
        }
        Directories.delete(folder);
    }
}
