package io.distributedlock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockNamesTests {

    private final List<String> heard = new ArrayList<>();
    private final LockNames names = new LockNames(2, heard::add);

    @Test
    void namesHaveTheirOwnTagsWhileThereIsRoom() {
        assertThat(List.of(names.tag("a"), names.tag("b"), names.tag("a"))).containsExactly("a", "b", "a");
        assertThat(heard).containsExactly("a", "b");
    }

    @Test
    void furtherNamesShareOneTag() {
        names.tag("a");
        names.tag("b");
        for (int i = 0; i < 1_000; i++) {
            assertThat(names.tag("user" + i)).isEqualTo("(others)");
        }
        assertThat(names.tag("a")).isEqualTo("a");
        assertThat(heard).containsExactly("a", "b", "(others)");
        assertThat(names.known()).containsExactlyInAnyOrder("a", "b", "(others)");
    }
}
