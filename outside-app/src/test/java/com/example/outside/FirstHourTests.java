package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The application of the main sources with no setting but the address of its Redis, as its user meets it. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class FirstHourTests {

    private static LocalRedis redis;
    private static ConfigurableApplicationContext shop;

    @BeforeAll
    static void start() {
        redis = LocalRedis.start();
        shop = start("--spring.data.redis.port=" + redis.port());
    }

    static ConfigurableApplicationContext start(String... environment) {
        String[] arguments = new String[environment.length + 2];
        System.arraycopy(environment, 0, arguments, 0, environment.length);
        arguments[environment.length] = "--server.port=0";
        arguments[environment.length + 1] = "--management.endpoints.web.exposure.include=health,locks";
        return new SpringApplicationBuilder(OutsideApplication.class).run(arguments);
    }

    @AfterAll
    static void stop() throws Exception {
        shop.close();
        redis.close();
    }

    @Test
    void aDependencyAndAnAnnotationMakeALock() {
        String key = client().monitor().storeKey("Orders.place:7").orElseThrow();
        try (LockHandle elsewhere = client().acquire(LockRequest.of("Orders.place", 7))) {
            assertThat(elsewhere.isHeld()).isTrue();
            assertThat(redis.has(key)).isTrue();
        }
        assertThat(shop.getBean(Orders.class).place(7)).isEqualTo("placed for 7");
    }

    @Test
    void aRefusedLockIsAConflictWithoutTheKeyInTheAnswer() throws Exception {
        try (LockHandle held = client().acquire(LockRequest.of("pay", "81:16"))) {
            HttpResponse<String> answer = get(shop, "/pay/81/16");
            assertThat(held.isHeld()).isTrue();
            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(answer.body()).contains("\"lock\":\"pay\"").doesNotContain("81:16");
        }
        assertThat(get(shop, "/pay/81/16").body()).isEqualTo("paid");
    }

    @Test
    void theEndpointFindsALockByTheKeyThatItsAnnotationMakes() throws Exception {
        try (LockHandle held = client().acquire(LockRequest.of("pay", "5:6"))) {
            assertThat(held.isHeld()).isTrue();
            assertThat(get(shop, "/actuator/locks").body()).contains("\"pay:5:6\"");
            assertThat(get(shop, "/actuator/locks/pay:5:6").body()).contains("\"held\":true");
        }
        HttpResponse<String> free = get(shop, "/actuator/locks/pay:5:6");
        assertThat(free.statusCode()).isEqualTo(200);
        assertThat(free.body()).contains("\"held\":false");
    }

    @Test
    void aLoneTextIsTheNameOfALock() {
        locks().run(
                        "nightly-report",
                        lock -> assertThat(LockContext.find("nightly-report")).isPresent());
    }

    /** With the default wait time, which would end the test's limit if these waited for every one of many calls. */
    @Test
    void tryingDoesNotWait() throws Exception {
        try (LockHandle held = client().acquire(LockRequest.of("nightly"))) {
            assertThat(held.isHeld()).isTrue();
            for (int each = 0; each < 50; each++) {
                assertThat(callElsewhere(() -> locks().tryExecute("nightly", lock -> "ran")))
                        .isEmpty();
                assertThat(callElsewhere(() -> locks().tryRun("nightly", lock -> {})))
                        .isFalse();
                assertThat(callElsewhere(() -> client().tryAcquire(LockRequest.of("nightly"))))
                        .isEmpty();
            }
        }
    }

    @Test
    void aCallThatByPassesTheProxyFailsWhereTheLockIsRequired() {
        Orders orders = shop.getBean(Orders.class);
        assertThat(orders.placeUnderLock(3)).isEqualTo("placed for 3");
        assertThatThrownBy(() -> orders.placeFromInside(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("orders");
    }

    @Test
    void theStartSaysWhereLocksAreKept(CapturedOutput log) {
        start("--spring.data.redis.port=" + redis.port(), "--spring.application.name=outside")
                .close();
        assertThat(log)
                .contains("Distributed locks are kept in Redis at localhost:" + redis.port()
                        + ", key prefix 'lock:outside'; by default a lock has a ttl of 30s and is renewed, and a call waits 5s"
                        + " for it");
    }

    @Test
    void aMistypedPropertyIsAWarningWithTheRightName(CapturedOutput log) {
        start(
                        "--spring.data.redis.port=" + redis.port(),
                        "--distributed-lock.lease-time=10s",
                        "--distributed-lock.wait-timeout=1s")
                .close();
        assertThat(log)
                .contains("The property distributed-lock.lease-time has no effect")
                .contains("Did you mean distributed-lock.wait-time?");
    }

    @Test
    void anAbsentRedisIsAWarningWithItsAddressAndACallFailsAsUnavailable(CapturedOutput log) throws Exception {
        try (ConfigurableApplicationContext alone = start("--spring.data.redis.port=1")) {
            await().until(() -> log.getOut().contains("Locks can't reach Redis"));
            assertThat(log).contains("localhost").contains("Connection refused").contains("spring.data.redis");
            HttpResponse<String> answer = get(alone, "/pay/1/2");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void aMissingPasswordIsAWarningThatNamesItsProperty(CapturedOutput log) throws Exception {
        try (LocalRedis closed = LocalRedis.start("secret-of-the-test");
                ConfigurableApplicationContext alone = start("--spring.data.redis.port=" + closed.port())) {
            await().until(() -> log.getOut().contains("Check the user and its password: spring.data.redis.username"));
            assertThat(log).contains("NOAUTH").doesNotContain("secret-of-the-test");
            assertThat(alone.isRunning()).isTrue();
        }
    }

    @Test
    void locksCanHaveARedisOfTheirOwn() throws Exception {
        try (LocalRedis own = LocalRedis.start();
                ConfigurableApplicationContext alone = start(
                        "--spring.data.redis.port=" + redis.port(), "--distributed-lock.redis.url=" + own.uri())) {
            LockClient client = alone.getBean(LockClient.class);
            try (LockHandle held = client.acquire(LockRequest.of("apart"))) {
                String key = client.monitor().storeKey("apart").orElseThrow();
                assertThat(own.has(key)).isTrue();
                assertThat(redis.has(key)).isFalse();
            }
        }
    }

    private interface Call<T> {
        T run();
    }

    /** On a thread that holds nothing, so that nothing is re-entered. */
    private static <T> T callElsewhere(Call<T> call) throws InterruptedException {
        Optional<?>[] result = new Optional<?>[1];
        Thread thread = new Thread(() -> result[0] = Optional.of(call.run()));
        thread.start();
        thread.join();
        @SuppressWarnings("unchecked")
        T answer = (T) result[0].orElseThrow();
        return answer;
    }

    private static LockClient client() {
        return shop.getBean(LockClient.class);
    }

    private static LockTemplate locks() {
        return shop.getBean(LockTemplate.class);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
