package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.CampaignReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Many clients, threads and processes on one Redis, with faults of every kind all the time. */
class SingleCampaignTest {

    private static final Duration ROUND = Duration.ofSeconds(50);
    private static final int READABLE = 20;

    @Test
    void noInvariantIsBrokenUnderAnyFault() {
        long seed = seed();
        int rounds = (int) ((Budget.time().toMillis() + ROUND.toMillis() - 1) / ROUND.toMillis());
        CampaignReport report = new CampaignReport("single", 0, 0, List.of());
        Map<String, Integer> faults = new TreeMap<>();
        for (int i = 0; i < rounds; i++) {
            CampaignReport next =
                    round(Work.PLAIN, seed + i, i % 2 == 0, Budget.time().dividedBy(rounds), faults);
            report = report.and(next);
        }
        System.out.println("faults: " + faults);
        System.out.println(report.line());
        assertThat(report.violations()).isEmpty();
        assertThat(report.cycles()).isPositive();
        assertThat(report.faults()).isPositive();
    }

    @Test
    void noInvariantIsBrokenByLocksOfAllKinds() {
        Map<String, Integer> faults = new TreeMap<>();
        CampaignReport report = round(Work.KINDS, seed(), true, Budget.timeForKinds(), faults);
        System.out.println(report.line());
        assertThat(report.violations()).isEmpty();
        assertThat(report.cycles()).isPositive();
        assertThat(report.faults()).isPositive();
    }

    @Test
    void noInvariantIsBrokenByLocksOfAllKindsInMemory() {
        TopologyCampaign.play(Work.KINDS, new MemoryTopology(), Budget.timeForKinds());
    }

    private static long seed() {
        return Long.getLong("distributedlock.campaign.seed", System.nanoTime());
    }

    private static CampaignReport round(
            Work work, long seed, boolean durable, Duration length, Map<String, Integer> faults) {
        Path folder = Path.of("target", "campaign", work.folder("single", seed));
        Round round = new Round(work, seed, durable, folder);
        CampaignReport report = round.run(length);
        round.faults().forEach((name, count) -> faults.merge(name, count, Integer::sum));
        if (report.violations().isEmpty()) {
            Folders.delete(folder);
        } else {
            HistoryDump.write(folder, round.history(), report);
            System.out.println("violations in the round with the seed " + seed + ", kept in " + folder + ":");
            report.violations().stream().limit(READABLE).forEach(System.out::println);
        }
        return report;
    }
}
