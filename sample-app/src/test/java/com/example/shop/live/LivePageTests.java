package com.example.shop.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a browser gets: the page, and what it is sent while the demonstrations run. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class LivePageTests {

    private static final String DATA = "data:";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @LocalServerPort
    private int port;

    @Test
    void aBrowserGetsThePageAndATerminalTheLines() throws Exception {
        assertThat(get("/", "text/html,application/xhtml+xml,*/*;q=0.8").body()).startsWith("<!doctype html>");
        assertThat(get("/", "*/*").body()).startsWith("A small shop").contains("curl -s");
        for (String part : new String[] {"/shop.js", "/shop.css"}) {
            assertThat(get(part, "*/*").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aPageNeedsNothingFromElsewhere() throws Exception {
        for (String part : new String[] {"/", "/shop.js", "/shop.css"}) {
            assertThat(get(part, "text/html").body())
                    .doesNotContain("https://", "innerHTML", "eval(")
                    .doesNotContainPattern("http://(?!localhost)");
        }
    }

    @Test
    void aPageSeesASaleAndTheLockOfAReport() throws Exception {
        try (Stream<String> lines = listen()) {
            Iterator<String> events = lines.iterator();
            post("/demo/flash-sale?buyers=50&stock=10&lock=lock").join();
            JsonNode sale = next(events, "sale").get("sale");
            // What is sent while the sale runs may come first.
            while (sale.get("stock").asInt() != 10
                    || sale.get("sold").asInt() + sale.get("refused").asInt() < 50) {
                sale = next(events, "sale").get("sale");
            }
            assertThat(sale.get("sold").asInt()).isEqualTo(10);
            assertThat(sale.get("oversold").asInt()).isZero();
            CompletableFuture<HttpResponse<String>> report = post("/demo/report?seconds=5");
            JsonNode lock = next(events, "report").get("report");
            assertThat(lock.get("heldHere").asBoolean()).isTrue();
            assertThat(lock.get("leaseMillis").asLong()).isBetween(1L, 30_000L);
            CompletableFuture<HttpResponse<String>> waiting = post("/demo/report?seconds=1&waiting=true");
            assertThat(report.join().statusCode()).isEqualTo(200);
            assertThat(waiting.join().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aLockWhoseReplyWasLostIsRemovedAndItsUserOrdersAgain() throws Exception {
        try (Stream<String> lines = listen()) {
            Iterator<String> events = lines.iterator();
            assertThat(post("/demo/incident").join().statusCode()).isEqualTo(202);
            assertThat(post("/demo/incident").join().statusCode()).isEqualTo(409);
            JsonNode incident = next(events, "incident").get("incident");
            while (!incident.get("over").asBoolean()) {
                incident = next(events, "incident").get("incident");
            }
            assertThat(incident.get("steps")
                            .valueStream()
                            .map(step -> step.get("text").asString()))
                    .anyMatch(text -> text.startsWith("Redis has written the lock lock:shop:{OrderService.place:4242}"))
                    .anyMatch(text -> text.startsWith("The lock is gone"))
                    .last()
                    .asString()
                    .startsWith("The same user orders again: order ");
        }
    }

    private static JsonNode next(Iterator<String> events, String part) {
        while (true) {
            String line = events.next();
            if (line.startsWith(DATA)) {
                JsonNode state = JsonMapper.shared().readTree(line.substring(DATA.length()));
                if (!state.get(part).isNull()) {
                    return state;
                }
            }
        }
    }

    private Stream<String> listen() throws IOException, InterruptedException {
        await().atMost(LIMIT)
                .until(() -> post("/demo/flash-sale?buyers=1&stock=1").join().statusCode() == 200);
        return http.send(request("/demo/live").build(), BodyHandlers.ofLines()).body();
    }

    private HttpResponse<String> get(String path, String accepted) throws IOException, InterruptedException {
        return http.send(request(path).header("Accept", accepted).build(), BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> post(String path) {
        return http.sendAsync(
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(LIMIT);
    }
}
