package com.example.shop.dashboard;

import static org.awaitility.Awaitility.await;

import com.example.shop.Program;
import io.distributedlock.testkit.process.Processes;
import io.distributedlock.testkit.process.ReservedPort;
import io.distributedlock.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Prometheus of this machine that reads the metrics of one application, twice a second. */
final class PrometheusServer implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newHttpClient();
    private final TemporaryFolder folder = TemporaryFolder.create("prometheus");
    private final ReservedPort port = ReservedPort.any();
    private final Process process;

    private PrometheusServer(int target) throws IOException {
        Path settings = Files.writeString(folder.path().resolve("prometheus.yml"), """
                global:
                  scrape_interval: 500ms
                scrape_configs:
                  - job_name: shop
                    metrics_path: /actuator/prometheus
                    static_configs:
                      - targets: ['127.0.0.1:%d']
                """.formatted(target));
        process = new ProcessBuilder(
                        Program.PROMETHEUS.path().toString(),
                        "--config.file=" + settings,
                        "--storage.tsdb.path=" + folder.path().resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port.number())
                .redirectErrorStream(true)
                .redirectOutput(folder.path().resolve("log").toFile())
                .start();
    }

    static PrometheusServer reading(int target) throws IOException {
        PrometheusServer server = new PrometheusServer(target);
        try {
            await().atMost(LIMIT)
                    .ignoreExceptions()
                    .until(() -> server.get("/-/ready").statusCode() == 200);
            return server;
        } catch (ConditionTimeoutException notReady) {
            String log = Files.readString(server.folder.path().resolve("log"));
            server.close();
            throw new IllegalStateException(log, notReady);
        }
    }

    /** The series that a query has had since then, once for each second. */
    JsonNode series(String query, Instant since) throws IOException, InterruptedException {
        return answer(
                        "/api/v1/query_range",
                        Map.of(
                                "query",
                                query,
                                "start",
                                String.valueOf(since.getEpochSecond()),
                                "end",
                                String.valueOf(Instant.now().getEpochSecond()),
                                "step",
                                "1"))
                .get("result");
    }

    /** What a variable of the dashboard offers: the values of a label among the series of one metric. */
    JsonNode values(String metric, String label) throws IOException, InterruptedException {
        return answer("/api/v1/label/" + label + "/values", Map.of("match[]", metric));
    }

    private JsonNode answer(String path, Map<String, String> parameters) throws IOException, InterruptedException {
        String query = parameters.entrySet().stream()
                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
        HttpResponse<String> answer = get(path + "?" + query);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(query + ": " + answer.body());
        }
        return JsonMapper.shared().readTree(answer.body()).get("data");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + port.number() + path);
        return http.send(HttpRequest.newBuilder(address).timeout(LIMIT).build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        Processes.kill(process);
        port.close();
        folder.close();
    }
}
