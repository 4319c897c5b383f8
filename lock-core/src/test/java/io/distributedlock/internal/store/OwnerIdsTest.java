package io.distributedlock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Copies of a process that are restored from one checkpoint start with the same heap. */
class OwnerIdsTest {

    private static final Duration YEAR = Duration.ofDays(365);

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

    @Test
    void allOwnersOfAClientBeginAlikeUntilItIsStopped() {
        String client = owners.next().substring(0, 8);
        time.advance(Duration.ofMillis(101));
        assertThat(owners.next()).startsWith(client);
        assertThat(owners.client()).isEqualTo(client);
        owners.drop();
        assertThat(owners.client()).isNull();
        assertThat(owners.next()).doesNotStartWith(client);
    }

    @Test
    void anOwnerSaysWhenItWasMadeByTheClockOfItsClient() {
        OwnerOrigin origin = OwnerOrigin.of(owners.next()).orElseThrow();
        time.advance(Duration.ofSeconds(40));
        assertThat(origin.until(owners.tick())).isEqualTo(Duration.ofSeconds(40));
        assertThat(new OwnerOrigin("client", OwnerOrigin.tick(-1)).until(OwnerOrigin.tick(YEAR.toNanos())))
                .isEqualTo(YEAR.plusMillis(20));
        assertThat(OwnerOrigin.of(owners.next() + ".7")).isPresent();
        assertThat(OwnerOrigin.of("another owner")).isEmpty();
    }
}
