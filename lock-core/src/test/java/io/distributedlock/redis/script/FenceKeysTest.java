package io.distributedlock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FenceKeysTest {

    private final FenceKeys keys = new FenceKeys("lock:");

    @Test
    void oneRedisHasOneCounter() {
        assertThat(keys.ofAll()).isEqualTo("lock:fence");
    }

    @Test
    void aCounterOfAClusterIsInTheSlotOfItsLockAndTheSameForAllOfThem() {
        long counters = IntStream.range(0, 200_000)
                .mapToObj(i -> "lock:{user:" + i + "}")
                .peek(lock -> assertThat(SlotHash.getSlot(keys.besides(lock))).isEqualTo(SlotHash.getSlot(lock)))
                .map(keys::besides)
                .distinct()
                .count();
        assertThat(counters).isEqualTo(SlotHash.SLOT_COUNT);
    }

    @Test
    void theNamesOfCountersNeverChangeBecauseRunningLocksDependOnThem() {
        assertThat(keys.besides("lock:{default:42}")).isEqualTo("lock:fence:{58f}");
        assertThat(keys.besides("lock:{orders:1}")).isEqualTo("lock:fence:{f68}");
    }
}
