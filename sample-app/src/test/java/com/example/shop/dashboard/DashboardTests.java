package com.example.shop.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.shop.Answer;
import com.example.shop.NeedsPrograms;
import com.example.shop.Program;
import com.example.shop.Shop;
import com.example.shop.ShopApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each query of the dashboard, asked of a Prometheus that reads the metrics of a shop under load. */
@NeedsPrograms(Program.PROMETHEUS)
class DashboardTests {

    private static final Path DASHBOARD = Path.of("..", "docs", "grafana", "distributed-lock.json");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), (\\w+)\\)");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** One query of a panel. */
    private record Query(String panel, String text) {}

    @Test
    void eachQueryReturnsData() throws IOException {
        JsonNode dashboard = JsonMapper.shared().readTree(DASHBOARD.toFile());
        List<Query> queries = queriesOf(dashboard);
        assertThat(queries).hasSizeGreaterThan(12);
        Instant begin = Instant.now();
        // Not by @SpringBootTest, which leaves the export of metrics out.
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(ShopApplication.class)
                        .run("--server.port=0", "--distributed-lock.ttl=3s", "--logging.level.root=warn");
                PrometheusServer prometheus = PrometheusServer.reading(portOf(application))) {
            Shop shop = Shop.openAt(portOf(application));
            CompletableFuture<Answer> report = shop.postMeanwhile("/demo/report?seconds=5");
            assertThat(shop.post("/demo/incident").status()).isEqualTo(202);
            List<Query> silent = new ArrayList<>(queries);
            await().atMost(LIMIT).untilAsserted(() -> {
                // Neither a sale nor what it loses fails the test: its metrics are what counts.
                shop.post("/demo/flash-sale?buyers=50&stock=20&lock=lock");
                silent.removeIf(query -> samplesOf(prometheus, query, begin) > 0);
                assertThat(silent).as("queries without data").isEmpty();
            });
            assertThat(report).succeedsWithin(LIMIT);
            queries.forEach(query -> System.out.printf(
                    "%s: %d samples of %s%n", query.panel(), samplesOf(prometheus, query, begin), query.text()));
            assertThatVariablesOfferValues(dashboard, prometheus);
        }
    }

    private static void assertThatVariablesOfferValues(JsonNode dashboard, PrometheusServer prometheus) {
        List<Matcher> variables = dashboard
                .get("templating")
                .get("list")
                .valueStream()
                .filter(variable -> variable.get("type").asString().equals("query"))
                .map(variable -> LABEL_VALUES.matcher(variable.get("definition").asString()))
                .toList();
        assertThat(variables).hasSize(2).allSatisfy(variable -> {
            assertThat(variable.matches()).isTrue();
            assertThat(prometheus.values(variable.group(1), variable.group(2)).size())
                    .isPositive();
        });
    }

    /** As Grafana asks them when all applications and all names are chosen. */
    private static List<Query> queriesOf(JsonNode dashboard) {
        return dashboard
                .get("panels")
                .valueStream()
                .flatMap(panel -> panel.get("targets")
                        .valueStream()
                        .map(target -> new Query(
                                panel.get("title").asString(),
                                target.get("expr")
                                        .asString()
                                        .replace("$name", ".*")
                                        .replace("$job", ".*")
                                        .replace("$__rate_interval", "5s"))))
                .toList();
    }

    /** Numbers alone count: a mean of nothing is none. */
    private static long samplesOf(PrometheusServer prometheus, Query query, Instant since) {
        try {
            return prometheus
                    .series(query.text(), since)
                    .valueStream()
                    .flatMap(series -> series.get("values").valueStream())
                    .filter(sample -> !sample.get(1).asString().equals("NaN"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int portOf(ConfigurableApplicationContext application) {
        return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }
}
