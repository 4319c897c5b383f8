package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The dashboard shows what there is, and all that there is. */
@Timeout(120)
class DashboardTests {

    private static final Path DASHBOARD = Path.of("../docs/grafana/distributed-lock.json");
    private static final Pattern METRIC = Pattern.compile("\\block_[a-z_]+(?=\\{)");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(lock_[a-z_]+)[{ ]");
    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    @Test
    void everyMetricOfTheDashboardIsThereAfterARunAndTheOtherWayRound() throws IOException {
        Set<String> shown = metricsOfTheDashboard();
        assertThat(shown).contains("lock_acquire_seconds_count", "lock_held");
        ObservabilityAutoConfigurationTests.contexts()
                .withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                .run(context -> {
                    use(context.getBean(LockTemplate.class), context.getBean(LockClient.class));
                    PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
                    await().untilAsserted(() -> assertThat(samples(registry)).containsAll(shown));
                    assertThat(shown).containsAll(samples(registry));
                });
    }

    /** A call, a wait behind another holder, and a loss. */
    private static void use(LockTemplate template, LockClient client) {
        template.run(WANTED, lock -> {});
        LockHandle lock = client.acquire(WANTED);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        lock.release();
        second.join().release();
        client.acquire(WANTED.withTtl(Duration.ofSeconds(1)))
                .lost()
                .toCompletableFuture()
                .join();
    }

    private static Set<String> samples(PrometheusMeterRegistry registry) {
        return matches(SAMPLE, registry.scrape()).stream()
                .filter(name -> !name.startsWith("lock_call_active"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> metricsOfTheDashboard() throws IOException {
        List<String> expressions = JsonPath.parse(DASHBOARD.toFile()).read("$.panels[*].targets[*].expr");
        return expressions.stream()
                .flatMap(expression -> matches(METRIC, expression).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(DashboardTests::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(MatchResult match) {
        return match.groupCount() == 0 ? match.group() : match.group(1);
    }
}
