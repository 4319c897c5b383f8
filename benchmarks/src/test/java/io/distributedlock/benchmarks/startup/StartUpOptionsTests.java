package io.distributedlock.benchmarks.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.benchmarks.WrongUsage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartUpOptionsTests {

    @Test
    void everyOptionCounts() {
        assertThat(StartUpOptions.of(List.of())).isEqualTo(new StartUpOptions(25, List.of(Subject.values())));
        assertThat(StartUpOptions.of(List.of("--sample", "--rounds", "80")))
                .isEqualTo(new StartUpOptions(80, List.of(Subject.SAMPLE)));
        assertThat(StartUpOptions.of(List.of("--short"))).isEqualTo(new StartUpOptions(2, List.of(Subject.values())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rounds", "--rounds 0", "--rounds many", "--rounds -1", "--rounds 10000", "--sampel"})
    void whatIsNoOptionIsRefused(String written) {
        assertThatExceptionOfType(WrongUsage.class).isThrownBy(() -> StartUpOptions.of(List.of(written.split(" "))));
    }
}
