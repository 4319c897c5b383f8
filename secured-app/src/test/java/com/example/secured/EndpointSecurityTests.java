package com.example.secured;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;

/** Who may read the endpoints about locks and their page, and who may take a lock by force. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Timeout(120)
class EndpointSecurityTests {

    private static final LockRequest WANTED = LockRequest.of("orders", "user-data");
    private static final String LOCK = "/actuator/locks/orders:user-data";

    private final HttpClient http = HttpClient.newHttpClient();

    @Autowired
    private LockClient locks;

    @Autowired
    private SecuredApplication application;

    @Value("${local.server.port}")
    private int port;

    /** @param user null for none */
    private HttpResponse<String> ask(int at, String method, String path, String user)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + at + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (user != null) {
            byte[] name = (user + ":secret").getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(name));
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/locks",
                "/actuator/locks?fleet=true",
                LOCK,
                "/actuator/lockconsole",
                "/actuator/lockconsole/console.js",
                "/actuator/lockconsole/console.css"
            })
    void nothingIsReadWithoutTheRole(String path) throws IOException, InterruptedException {
        try (LockHandle lock = locks.acquire(WANTED)) {
            HttpResponse<String> stranger = ask(port, "GET", path, null);
            assertThat(stranger.statusCode()).isEqualTo(401);
            assertThat(stranger.body()).doesNotContain("orders", "user-data", "console");
            HttpResponse<String> clerk = ask(port, "GET", path, "clerk");
            assertThat(clerk.statusCode()).isEqualTo(403);
            assertThat(clerk.body().replace(path, "")).doesNotContain("user-data", "holder");
            HttpResponse<String> operator = ask(port, "GET", path, "ops");
            assertThat(operator.statusCode()).isEqualTo(200);
            assertThat(operator.body()).isNotBlank();
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void aLockIsTakenByForceWithTheRoleOnlyAndUnderTheNameOfItsUser() throws IOException, InterruptedException {
        LockHandle lock = locks.acquire(WANTED);
        assertThat(ask(port, "DELETE", LOCK, null).statusCode()).isEqualTo(401);
        assertThat(ask(port, "DELETE", LOCK, "clerk").statusCode()).isEqualTo(403);
        assertThat(lock.isHeld()).isTrue();
        assertThat(application.audited()).noneMatch(event -> event.getType().startsWith("LOCK_"));
        assertThat(ask(port, "DELETE", LOCK + "?reason=it+hangs", "ops").statusCode())
                .isEqualTo(200);
        assertThat(lock.lost().toCompletableFuture().join()).isEqualTo(LossReason.FORCED);
        assertThat(application.audited())
                .filteredOn(event -> event.getType().equals("LOCK_FORCED_RELEASE"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getPrincipal()).isEqualTo("ops");
                    assertThat(event.getData()).containsEntry("because", "it hangs");
                });
    }

    @Test
    void whatIsNotExposedIsThereForNoUser() throws IOException, InterruptedException {
        try (ConfigurableApplicationContext other = SpringApplication.run(
                SecuredApplication.class, "--server.port=0", "--management.endpoints.web.exposure.include=health")) {
            int there = other.getEnvironment().getRequiredProperty("local.server.port", int.class);
            for (String path :
                    new String[] {"/actuator/locks", LOCK, "/actuator/lockconsole", "/actuator/lockconsole/console.js"
                    }) {
                assertThat(ask(there, "GET", path, "ops").statusCode()).isEqualTo(404);
            }
            assertThat(ask(there, "DELETE", LOCK, "ops").statusCode()).isEqualTo(404);
            assertThat(ask(there, "GET", "/actuator/health", "ops").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void withoutThePermissionThereIsNoForcedRelease() throws IOException, InterruptedException {
        try (ConfigurableApplicationContext other = SpringApplication.run(
                SecuredApplication.class, "--server.port=0", "--distributed-lock.endpoint.forced-release=false")) {
            int there = other.getEnvironment().getRequiredProperty("local.server.port", int.class);
            assertThat(ask(there, "DELETE", LOCK, "ops").statusCode()).isEqualTo(405);
        }
    }
}
