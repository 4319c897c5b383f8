package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.campaign.HistoryMutation.Story;
import io.distributedlock.campaign.process.Directories;
import io.distributedlock.campaign.workload.WorkloadType;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.specification.Conformance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The history of a real run conforms to the specification; changed in one place, it does not. */
class HistoryMutationTest {

    private static final int PLACES = CampaignLength.isLong() ? 8 : 2;
    private static final Duration LENGTH = CampaignLength.isLong() ? Duration.ofSeconds(2) : Duration.ofSeconds(1);

    @Test
    void eachKindOfChangeInARealHistoryIsRejected() {
        Path folder = Path.of("target", "campaign", "mutated");
        SingleServerRun run = new SingleServerRun(WorkloadType.PLAIN, 1, true, folder);
        assertThat(run.run(LENGTH).violations()).isEmpty();
        Directories.delete(folder);
        History sound = run.history();
        assertThat(Conformance.of(sound, run.limits()).rejections()).isEmpty();

        Map<String, Integer> rejected = new TreeMap<>();
        for (HistoryMutation mutation : HistoryMutation.values()) {
            rejected.put(mutation.name(), rejections(mutation, sound, run.limits()));
        }
        System.out.println("changes rejected, of " + PLACES + " places each: " + rejected);
        assertThat(rejected).allSatisfy((mutation, count) -> assertThat(count).isPositive());
    }

    private static int rejections(HistoryMutation mutation, History sound, Limits limits) {
        int rejected = 0;
        for (int seed = 0; seed < PLACES; seed++) {
            Optional<History> changed = mutation.of(new Story(sound, new Random(seed)));
            rejected += changed.map(history -> Conformance.of(history, limits).rejected())
                    .orElse(0);
        }
        return rejected;
    }
}
