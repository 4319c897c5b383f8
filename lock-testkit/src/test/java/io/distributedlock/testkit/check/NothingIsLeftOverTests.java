package io.distributedlock.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.FinalState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NothingIsLeftOverTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void nothingLeftIsFine() {
        story.rest(new FinalState(List.of(), Map.of("threads", 0L, "subscriptions", 0L)));
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void eachKeyAndEachGaugeIsCaught() {
        story.rest(new FinalState(List.of("lock:{a}", "lock:{b}:q"), Map.of("threads", 2L, "subscriptions", 0L)));
        assertThat(story.violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "I10 nothing is left over [lock:{a}]: the key is left in Redis",
                        "I10 nothing is left over [lock:{b}:q]: the key is left in Redis",
                        "I10 nothing is left over []: threads is 2 instead of 0");
    }
}
