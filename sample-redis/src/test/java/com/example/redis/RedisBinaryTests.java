package com.example.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;

class RedisBinaryTests {

    @ParameterizedTest
    @CsvSource({
        "Linux,    amd64,   linux-amd64",
        "Linux,    aarch64, linux-arm64",
        "Mac OS X, x86_64,  darwin-amd64",
        "Mac OS X, aarch64, darwin-arm64",
    })
    void thereIsOneForThisPlatform(String os, String cpu, String ending) {
        assertThat(RedisBinary.of(os, cpu).resource()).asString().endsWith(ending);
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, amd64", "Linux, riscv64", "FreeBSD, amd64"})
    void onOtherPlatformsTheStartFailsWithAdvice(String os, String cpu) {
        EmbeddedRedisException failure =
                catchThrowableOfType(EmbeddedRedisException.class, () -> RedisBinary.of(os, cpu));

        assertThat(failure).hasMessageContaining(os + " on " + cpu);
        FailureAnalysis analysis = new EmbeddedRedisFailureAnalyzer().analyze(failure);
        assertThat(analysis.getDescription()).contains(os + " on " + cpu);
        assertThat(analysis.getAction()).contains("spring.data.redis.url");
    }
}
