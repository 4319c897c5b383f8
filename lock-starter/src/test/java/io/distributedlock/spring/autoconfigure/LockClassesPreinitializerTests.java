package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

class LockClassesPreinitializerTests {

    private static final String THE_TEST_ITSELF = "Preinitiali";

    @Test
    void whatAStartNeedsIsLoaded() {
        assertThat(log("class+load", "io.distributedlock."))
                .anyMatch(line -> line.contains("io.distributedlock.redis.Extensions "))
                .anyMatch(line -> line.contains("io.distributedlock.LockPolicies "))
                .anyMatch(line -> line.contains("io.distributedlock.spring.LockOperationReader "))
                .anyMatch(line -> line.contains("io.distributedlock.spring.autoconfigure.LockLifecycle "))
                .hasSizeGreaterThan(100);
    }

    @Test
    void nothingIsInitialized() {
        assertThat(log("class+init", "Initializing 'io/distributedlock/"))
                .allMatch(line -> line.contains(THE_TEST_ITSELF));
    }

    @Test
    void locksThatAreSwitchedOffByASystemPropertyAreNotLoaded() {
        assertThat(log("class+load", "io.distributedlock.", "-Ddistributed-lock.enabled=false"))
                .isNotEmpty()
                .allMatch(line -> line.contains(THE_TEST_ITSELF));
    }

    @Test
    void springBootFindsIt() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
                .hasAtLeastOneElementOfType(LockClassesPreinitializer.class);
    }

    private static List<String> log(String kind, String wanted, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Xlog:" + kind + "=info:stdout");
        List<String> lines = new ArrayList<>();
        try (ChildJvm child = ChildJvm.start(all, PreinitializingProcess.class)) {
            child.awaitLine(line -> {
                if (line.contains(wanted)) {
                    lines.add(line);
                }
                return line.equals(PreinitializingProcess.END);
            });
        }
        return lines;
    }
}
