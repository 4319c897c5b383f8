package io.distributedlock.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitStrategyTest {

    private static final Duration LONG = Duration.ofDays(365);

    private final WaitStrategy waiting = WaitStrategy.jitteredBackoff();

    private static Duration ceiling(int tries) {
        return Duration.ofMillis(10L << Math.min(tries - 1, 4));
    }

    @Test
    void theSleepDoublesUpToALimitAndIsJitteredByHalf() {
        for (int tries : new int[] {1, 2, 3, 4, 5, 6, 100, Integer.MAX_VALUE}) {
            Set<Duration> sleeps = new HashSet<>();
            for (int i = 0; i < 200; i++) {
                Duration sleep = waiting.next(tries, LONG);
                assertThat(sleep).isBetween(ceiling(tries).dividedBy(2), ceiling(tries));
                sleeps.add(sleep);
            }
            assertThat(sleeps).hasSizeGreaterThan(100);
        }
    }

    @Test
    void noCallerSleepsPastTheEndOfTheLease() {
        for (int i = 0; i < 200; i++) {
            assertThat(waiting.next(10, Duration.ofMillis(3))).isBetween(Duration.ofMillis(2), Duration.ofMillis(4));
            assertThat(waiting.next(10, Duration.ZERO)).isBetween(Duration.ZERO, Duration.ofMillis(1));
        }
    }

    @Test
    void aLeaseOfAThousandYearsIsALongOne() {
        Duration overlong = Duration.ofDays(365_000);
        assertThat(waiting.next(5, overlong)).isBetween(ceiling(5).dividedBy(2), ceiling(5));
        assertThat(waiting.inQueue(overlong)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void aLeaseThatEndedInThePastIsTriedAtOnce() {
        assertThat(waiting.next(1, Duration.ofMillis(-5))).isLessThanOrEqualTo(Duration.ofMillis(1));
    }
}
