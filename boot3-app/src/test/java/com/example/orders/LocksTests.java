package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockTemplate;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.LettuceVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The starter, as it was built for the newest line of Spring Boot, in an application on another one. */
@Timeout(180)
@DirtiesContext
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "distributed-lock.key-prefix=shop:lock",
            "distributed-lock.endpoint.forced-release=true",
            "management.endpoints.web.exposure.include=health,locks,lockconsole,prometheus",
            "management.endpoint.health.show-details=always",
            "management.prometheus.metrics.export.enabled=true"
        })
class LocksTests {

    private static final RedisServer REDIS = RedisServer.start();

    private final HttpClient http = HttpClient.newHttpClient();

    @Value("${local.server.port}")
    private int port;

    @Autowired
    private OrderService orders;

    @Autowired
    private LockTemplate template;

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", REDIS::uri);
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    /** The connection of a process that is just starting may take more than one try. */
    @BeforeEach
    void connect() {
        await().ignoreExceptions().until(() -> {
            template.run("warm-up", lock -> {});
            return true;
        });
    }

    @Test
    void everythingIsOfTheLineThatIsTested() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.line"));
        assertThat(LettuceVersion.getVersion()).startsWith(System.getProperty("driver.line"));
    }

    @Test
    void annotatedMethodsExcludeEachOther() throws Exception {
        String inner = orders.place("42", () -> onAnotherThread(() -> orders.placeIfFree("42")));
        assertThat(inner).isNull();
        assertThat(onAnotherThread(() -> orders.placeIfFree("42"))).startsWith("token ");
        orders.place("42", () -> {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() -> onAnotherThread(() -> orders.place("42", () -> "never")));
            return "done";
        });
    }

    @Test
    void aPropertySaysHowKeysBegin() throws Exception {
        Object key = orders.place("42", () -> REDIS.command("EXISTS", "shop:lock:{orders:42}"));
        assertThat(key).isEqualTo(1L);
        assertThat(REDIS.command("EXISTS", "shop:lock:{orders:42}")).isEqualTo(0L);
    }

    @Test
    void theTemplateIsThere() {
        assertThat(template.tryExecute("nightly", lock -> lock.remaining().compareTo(Duration.ZERO) > 0))
                .contains(true);
    }

    @Test
    void metersAreExported() throws Exception {
        orders.place("metered", () -> "done");
        await().untilAsserted(() -> assertThat(get("/actuator/prometheus").body())
                .contains("lock_acquire_seconds_count{")
                .contains("lock_hold_seconds_count{")
                .contains("lock_call_seconds_count{")
                .contains("lock_held{")
                .contains("name=\"orders\"")
                .contains("lock_reaper_size")
                .doesNotContain("metered"));
    }

    @Test
    void theEndpointShowsWhatIsHeldAndReleasesItByForce() throws Exception {
        String[] seen = orders.place("7", () -> new String[] {
            get("/actuator/locks").body(), get("/actuator/locks/orders:7").body()
        });
        assertThat(seen[0]).contains("\"heldCount\":1", "\"id\":\"orders:7\"", "\"thread\":");
        assertThat(seen[1]).contains("\"id\":\"orders:7\"", "\"heldHere\":true", "\"owner\":");
        assertThat(get("/actuator/locks/orders:7").body()).contains("\"held\":false");
        assertThat(get("/actuator/locks/orders:").statusCode()).isEqualTo(400);
        REDIS.command("SET", "shop:lock:{orders:8}", "a client", "PX", "60000");
        assertThat(send("DELETE", "/actuator/locks/orders:8").statusCode()).isEqualTo(200);
        assertThat(REDIS.command("EXISTS", "shop:lock:{orders:8}")).isEqualTo(0L);
    }

    @Test
    void theEndpointListsAllLocksOfTheStore() throws Exception {
        String seen = orders.place(
                "9", () -> get("/actuator/locks?fleet=true&limit=10").body());
        assertThat(seen)
                .contains("\"fleet\":{\"locks\":[", "\"mode\":\"EXCLUSIVE\"", "\"heldHere\":true", "\"holders\":[{");
        assertThat(get("/actuator/locks").body()).doesNotContain("\"fleet\":{").contains("\"incidents\":");
    }

    @Test
    void theConsoleIsAPageBesideTheEndpoint() {
        HttpResponse<String> page = get("/actuator/lockconsole");
        assertThat(contentType(page)).isEqualTo("text/html;charset=UTF-8");
        assertThat(page.body()).startsWith("<!doctype html>");
        assertThat(contentType(get("/actuator/lockconsole/console.js"))).isEqualTo("text/javascript;charset=UTF-8");
        assertThat(contentType(get("/actuator/lockconsole/console.css"))).isEqualTo("text/css;charset=UTF-8");
        assertThat(get("/actuator/lockconsole/console.html").statusCode()).isEqualTo(404);
    }

    @Test
    void healthHasDetailsAndIsDownWhileRedisIsAway() {
        assertThat(get("/actuator/health/distributedLock").body())
                .contains("\"status\":\"UP\"", "\"roundTrip\":", "\"renewalLag\":");
        REDIS.kill();
        HttpResponse<String> away = get("/actuator/health/distributedLock");
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(away.body()).contains("\"status\":\"DOWN\"", "\"problem\":");
        REDIS.restart();
        await().until(() -> get("/actuator/health/distributedLock").statusCode() == 200);
    }

    private HttpResponse<String> get(String path) {
        return send("GET", path);
    }

    private HttpResponse<String> send(String method, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the test was interrupted", e);
        }
    }

    private static String contentType(HttpResponse<String> answer) {
        return answer.headers().firstValue("Content-Type").orElse("");
    }

    private static <T> T onAnotherThread(Callable<T> work) throws Exception {
        try {
            return CompletableFuture.supplyAsync(() -> {
                        try {
                            return work.call();
                        } catch (RuntimeException own) {
                            throw own;
                        } catch (Exception other) {
                            throw new IllegalStateException(other);
                        }
                    })
                    .join();
        } catch (CompletionException failed) {
            throw (Exception) failed.getCause();
        }
    }
}
