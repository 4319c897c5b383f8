package io.distributedlock.campaign.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a soak has more in the end than after its first minute. */
class ResourcesTests {

    private static final long CYCLES = 400_000;

    private final Resources first = resources(18, 0, 25_000_000);

    private static Resources resources(long connections, long keys, long heap) {
        return new Resources(Map.of("threads", 39L, "connections", connections, "keys", keys, "queues", 0L), heap);
    }

    private List<String> grown(Resources last) {
        return first.growthSinceTheFirstMinute(last, CYCLES);
    }

    @Test
    void aTenthMoreOfHeapIsReported() {
        assertThat(grown(resources(18, 0, 27_400_000))).isEmpty();
        assertThat(grown(resources(18, 0, 27_600_000)))
                .singleElement()
                .asString()
                .startsWith("heap: ");
    }

    @Test
    void connectionsThatAreOpenedLaterMayHaveAMegabyteEach() {
        assertThat(grown(resources(21, 0, 28_000_000))).isEmpty();
        assertThat(grown(resources(21, 0, 31_000_000)))
                .singleElement()
                .asString()
                .startsWith("heap: ");
        assertThat(grown(resources(15, 0, 27_600_000))).hasSize(1);
    }

    @Test
    void oneKeyMoreIsReported() {
        assertThat(grown(resources(18, 1, 25_000_000))).containsExactly("keys: 0 -> 1");
    }
}
