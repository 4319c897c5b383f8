package io.distributedlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NothingIsLeftOverTests {
    private final Story story = new Story();

    @Test
    void nothingLeftIsFine() {
        story.rest(new Rest(List.of(), Map.of("threads", 0L, "subscriptions", 0L)));
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void eachKeyAndEachGaugeIsCaught() {
        story.rest(new Rest(List.of("lock:{a}", "lock:{b}:q"), Map.of("threads", 2L, "subscriptions", 0L)));
        assertThat(story.violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "I10 nothing is left over [lock:{a}]: the key is left in Redis",
                        "I10 nothing is left over [lock:{b}:q]: the key is left in Redis",
                        "I10 nothing is left over []: threads is 2 instead of 0");
    }
}
