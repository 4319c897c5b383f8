package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.CampaignReport;
import java.nio.file.Path;
import java.time.Duration;

/** One campaign on a topology, with its line in the log, and what is kept of it if it has found something. */
final class TopologyCampaign {

    private static final int READABLE = 20;

    private TopologyCampaign() {}

    static void play(Work work, Topology opened, Duration length) {
        long seed = Long.getLong("distributedlock.campaign.seed", System.nanoTime());
        Path folder = Path.of("target", "campaign", work.folder(opened.name(), seed));
        try (Topology topology = opened) {
            TopologyRound round = new TopologyRound(work, topology, seed, folder);
            CampaignReport report = round.run(length);
            System.out.println(report.line());
            if (!report.violations().isEmpty()) {
                HistoryDump.write(folder, round.history(), report);
                System.out.println("violations with the seed " + seed + ", kept in " + folder + ":");
                report.violations().stream().limit(READABLE).forEach(System.out::println);
            }
            assertThat(report.violations()).isEmpty();
            assertThat(report.cycles()).isPositive();
            assertThat(report.faults()).isPositive();
        }
        Folders.delete(folder);
    }
}
