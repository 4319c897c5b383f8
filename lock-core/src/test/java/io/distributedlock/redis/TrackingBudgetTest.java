package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrackingBudgetTest {

    private static final int HUNDRED = 100;

    /** Close to the end of the range, so that the clock overflows. */
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private final TrackingBudget budget = new TrackingBudget(now::get);

    private long allowed(int scripts) {
        return IntStream.range(0, scripts).filter(i -> budget.allows(HUNDRED)).count();
    }

    private void advance(Duration by) {
        now.addAndGet(by.toNanos());
    }

    @Test
    void aThousandLeasesCanBeTrackedAtOnceAndNotOneMore() {
        assertThat(allowed(20)).isEqualTo(10);
        assertThat(budget.allows(1)).isFalse();
    }

    @Test
    void afterHalfASecondTheHalfOfThemCan() {
        allowed(20);
        advance(Duration.ofMillis(500));
        assertThat(allowed(20)).isEqualTo(5);
    }

    @Test
    void whatWasNotUsedForLongIsNotSaved() {
        advance(Duration.ofHours(1));
        assertThat(allowed(30)).isEqualTo(10);
    }

    @Test
    void whatIsRefusedCostsNothing() {
        assertThat(allowed(9)).isEqualTo(9);
        assertThat(budget.allows(2 * HUNDRED)).isFalse();
        assertThat(budget.allows(HUNDRED)).isTrue();
    }
}
