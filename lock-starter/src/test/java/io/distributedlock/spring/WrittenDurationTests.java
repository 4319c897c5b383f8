package io.distributedlock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

class WrittenDurationTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0s",
                "1ms",
                "250ms",
                "10s",
                "010s",
                "5m",
                "999999999s",
                "999999999m",
                "9999999999s",
                "2h",
                "1d",
                "+3s",
                "-3s",
                "PT10S",
                "1h30m",
                "10S",
                "10us"
            })
    void itMeansWhatSpringTakesItFor(String text) {
        assertThat(WrittenDuration.parse(text)).isEqualTo(DurationFormatterUtils.detectAndParse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "10 s", "1.5s", "ten", "10x"})
    void whatIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> WrittenDuration.parse(text));
    }
}
