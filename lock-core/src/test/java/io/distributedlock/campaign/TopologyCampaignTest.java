package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.CampaignReport;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Many clients on several servers of which some are always on the way down or up. */
class TopologyCampaignTest {

    private static final Duration SHORTEST = Duration.ofSeconds(12);
    private static final int READABLE = 20;

    @Test
    void noInvariantIsBrokenBehindSentinels() {
        play(new SentinelTopology());
    }

    @Test
    void noInvariantIsBrokenInACluster() {
        play(new ClusterTopology());
    }

    @Test
    void noInvariantIsBrokenByAQuorum() {
        play(new QuorumTopology());
    }

    private static void play(Topology opened) {
        long seed = Long.getLong("distributedlock.campaign.seed", System.nanoTime());
        Duration half = Budget.time().dividedBy(2);
        Path folder = Path.of("target", "campaign", opened.name() + "-" + seed);
        try (Topology topology = opened) {
            TopologyRound round = new TopologyRound(topology, seed, folder);
            CampaignReport report = round.run(half.compareTo(SHORTEST) > 0 ? half : SHORTEST);
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
