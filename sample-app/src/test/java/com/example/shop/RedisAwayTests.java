package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"shop.order-work=0s", "distributed-lock.ttl=6s"})
class RedisAwayTests {

    private static final long UMBRELLA = 7;
    /** Ends with the JVM, not with the class: the shop stays connected until another test needs its own. */
    private static final RedisServer REDIS = RedisServer.start();

    @LocalServerPort
    private int port;

    private Shop shop;

    @DynamicPropertySource
    static void useThisRedis(DynamicPropertyRegistry registry) {
        registry.add("spring.data.redis.url", REDIS::uri);
    }

    @BeforeEach
    void visitTheShop() {
        shop = Shop.openAt(port);
    }

    @Test
    void aDeadRedisMeansNoOrdersUntilItIsBack() {
        shop.order(42, UMBRELLA).success(201);

        REDIS.kill();
        assertThatNoOrderIsTaken();
        assertThat(shop.get("/products").status()).isEqualTo(200);

        REDIS.restart();
        assertThatOrdersAreTakenAgain();
    }

    @Test
    void aSilentRedisMeansNoOrdersUntilItAnswers() {
        shop.order(42, UMBRELLA).success(201);

        REDIS.pause();
        try {
            assertThatNoOrderIsTaken();
        } finally {
            REDIS.resume();
        }
        assertThatOrdersAreTakenAgain();
    }

    @Test
    void aReportEndsWhenItsLockCanNotBeRenewed() {
        CompletableFuture<Answer> report = shop.postMeanwhile("/demo/report?seconds=40");
        await().until(() -> REDIS.command("GET", "lock:shop:{report:daily}") != null);

        REDIS.kill();
        try {
            assertThat(report.join().problem(500).get("lock").asString()).isEqualTo("report");
        } finally {
            REDIS.restart();
        }
        assertThatOrdersAreTakenAgain();
    }

    private void assertThatNoOrderIsTaken() {
        int stock = shop.stockOf(UMBRELLA);
        JsonNode orders = shop.get("/orders").json();

        Answer answer = shop.order(43, UMBRELLA);

        assertThat(answer.problem(503).get("lock").asString()).isEqualTo("OrderService.place");
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        shop.post("/demo/flash-sale?buyers=100&stock=10").problem(503);
        shop.post("/demo/report?seconds=1").problem(503);
        assertThat(shop.stockOf(UMBRELLA)).isEqualTo(stock);
        assertThat(shop.get("/orders").json()).isEqualTo(orders);
    }

    private void assertThatOrdersAreTakenAgain() {
        await().untilAsserted(() -> shop.order(43, UMBRELLA).success(201));
    }
}
