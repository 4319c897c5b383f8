package io.distributedlock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Copies of a process that are restored from one checkpoint start with the same heap. */
class OwnerIdsTest {

    private final ManualScheduler time = new ManualScheduler();
    private byte draws;
    private final OwnerIds owners = new OwnerIds(time, bits -> Arrays.fill(bits, draws++));

    @Test
    void manyOwnersAreDrawnAtOnce() {
        for (int i = 0; i < 64; i++) {
            owners.next();
        }
        assertThat(draws).isEqualTo((byte) 1);
        owners.next();
        assertThat(draws).isEqualTo((byte) 2);
    }

    @Test
    void whatWasDrawnInAdvanceIsDroppedWithTheStopOfTheClient() {
        String before = owners.next();
        owners.drop();
        assertThat(owners.next()).isNotEqualTo(before);
        assertThat(draws).isEqualTo((byte) 2);
    }

    @Test
    void whatWasDrawnInAdvanceIsNotUsedAfterAWhile() {
        String before = owners.next();
        time.advance(Duration.ofMillis(101));
        assertThat(owners.next()).isNotEqualTo(before);
        assertThat(draws).isEqualTo((byte) 2);
    }
}
