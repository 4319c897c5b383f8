package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.campaign.process.Directories;
import io.distributedlock.campaign.topology.MemoryTopology;
import io.distributedlock.campaign.topology.TopologyCampaign;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.specification.Conformance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many clients, threads and processes on one Redis, with faults of every kind all the time. */
class SingleCampaignTest {

    private static final Duration ROUND = Duration.ofSeconds(50);
    private static final int READABLE = 20;
    private static final long THOROUGH_CYCLES = 100_000;
    private static final int THOROUGH_FAULTS = 200;
    private static final int MAX_EXTENSION = 3;

    private Conformance conformance = Conformance.NONE;

    @Test
    void noInvariantIsBrokenUnderAnyFault() {
        long seed = seed();
        int rounds = (int) ((CampaignLength.time().toMillis() + ROUND.toMillis() - 1) / ROUND.toMillis());
        CampaignReport report = new CampaignReport("single", 0, 0, List.of());
        Map<String, Integer> faults = new TreeMap<>();
        for (int i = 0; i < rounds || (isTooShort(report) && i < MAX_EXTENSION * rounds); i++) {
            CampaignReport next = round(
                    WorkloadType.PLAIN,
                    seed + i,
                    i % 2 == 0,
                    CampaignLength.time().dividedBy(rounds),
                    faults);
            report = report.and(next);
        }
        System.out.println("faults: " + faults);
        System.out.println(report.line());
        System.out.println(conformance.line());
        assertIsSound(report);
    }

    @Tag("long")
    @Test
    void noInvariantIsBrokenByLocksOfAllKinds() {
        Map<String, Integer> faults = new TreeMap<>();
        CampaignReport report = round(WorkloadType.KINDS, seed(), true, CampaignLength.timeForKinds(), faults);
        System.out.println(report.line());
        System.out.println(conformance.line());
        assertIsSound(report);
    }

    @Test
    @Tag("long")
    void noInvariantIsBrokenByLocksOfAllKindsInMemory() {
        TopologyCampaign.run(WorkloadType.KINDS, new MemoryTopology(), CampaignLength.timeForKinds());
    }

    private void assertIsSound(CampaignReport report) {
        assertThat(report.violations()).isEmpty();
        assertThat(conformance.rejections()).isEmpty();
        assertThat(report.cycles()).isPositive();
        assertThat(report.faults()).isPositive();
    }

    /** Whether a slow machine needs more rounds for a thorough check. */
    private static boolean isTooShort(CampaignReport report) {
        return CampaignLength.isLong() && (report.cycles() < THOROUGH_CYCLES || report.faults() < THOROUGH_FAULTS);
    }

    private static long seed() {
        return Long.getLong("distributedlock.campaign.seed", System.nanoTime());
    }

    private CampaignReport round(
            WorkloadType type, long seed, boolean durable, Duration length, Map<String, Integer> faults) {
        Path folder = Path.of("target", "campaign", type.folder("single", seed));
        SingleServerRun round = new SingleServerRun(type, seed, durable, folder);
        CampaignReport report = round.run(length);
        Conformance replayed = round.conformance();
        conformance = conformance.and(replayed);
        round.faults().forEach((name, count) -> faults.merge(name, count, Integer::sum));
        if (report.violations().isEmpty() && replayed.rejected() == 0) {
            Directories.delete(folder);
        } else {
            HistoryDump.write(folder, round.history(), report);
            System.out.println("violations in the round with the seed " + seed + ", kept in " + folder + ":");
            report.violations().stream().limit(READABLE).forEach(System.out::println);
            replayed.rejections().stream().limit(READABLE).forEach(System.out::println);
        }
        return report;
    }
}
