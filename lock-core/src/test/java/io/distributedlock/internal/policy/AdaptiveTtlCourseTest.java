package io.distributedlock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.AdaptiveTtl;
import io.distributedlock.LockEvent.Acquired;
import io.distributedlock.LockEvent.Released;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** How the adaptive ttl follows a load that changes; the table in the documentation is what comes out here. */
class AdaptiveTtlCourseTest {

    private static final Path PAGE = Path.of("../docs/policies.md");
    private static final int[] SHOWN = {1, 10, 50, 99, 100};
    private static final LockRequest WANTED = LockRequest.of("report", "42");

    private final AdaptiveTtlPolicy policy = new AdaptiveTtlPolicy(AdaptiveTtl.DEFAULTS);
    private final List<String> rows = new ArrayList<>();

    private record Load(String name, Duration held, int ahead) {}

    @Test
    void theTableInTheDocumentationIsWhatTheProgramDoes() throws IOException {
        phase(new Load("calm", Duration.ofMillis(800), 0));
        phase(new Load("crowded", Duration.ofMillis(800), 20));
        phase(new Load("long jobs", Duration.ofSeconds(3), 0));
        phase(new Load("long jobs, crowded", Duration.ofSeconds(3), 20));
        phase(new Load("calm again", Duration.ofMillis(800), 0));
        assertThat(Files.readString(PAGE)).contains(String.join("\n", rows));
    }

    private void phase(Load load) {
        int holds = 0;
        for (int shown : SHOWN) {
            for (; holds < shown; holds++) {
                hold(load);
            }
            rows.add(String.format(
                    Locale.ROOT,
                    "| %s | %s | %d | %d | %s |",
                    load.name(),
                    seconds(load.held()),
                    load.ahead(),
                    holds,
                    seconds(ttl())));
        }
    }

    private void hold(Load load) {
        assertThat(ttl()).isPositive();
        policy.on(new Acquired(
                "report", "42", LockMode.EXCLUSIVE, 1, load.held().multipliedBy(load.ahead()), load.ahead() > 0));
        policy.on(new Released("report", "42", load.held(), true));
    }

    private Duration ttl() {
        return policy.ttl(WANTED, name -> Duration.ZERO);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1e3);
    }
}
