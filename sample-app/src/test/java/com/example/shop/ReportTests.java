package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"distributed-lock.ttl=6s", "distributed-lock.redis.command-timeout=2s"})
class ReportTests {

    private static final String REDIS_KEY = "lock:shop:{report:daily}";

    @LocalServerPort
    private int port;

    @Autowired
    private StringRedisTemplate redis;

    private Shop shop;

    @BeforeEach
    void visitTheShop() {
        shop = Shop.openAt(port);
    }

    @Test
    void aReportKeepsItsLockForLongerThanTheTtlAndASecondOneIsRefusedMeanwhile() {
        CompletableFuture<Answer> first = shop.postMeanwhile("/demo/report?seconds=10");
        await().until(() -> redis.hasKey(REDIS_KEY));

        assertThat(shop.post("/demo/report?seconds=1").problem(409).get("lock").asString())
                .isEqualTo("report");

        JsonNode report = first.join().success(200);
        assertThat(report.get("redisKey").asString()).isEqualTo(REDIS_KEY);
        assertThat(report.get("pttlMillis").valueStream().mapToLong(JsonNode::asLong))
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(pttl -> assertThat(pttl).isBetween(1L, 6_000L));
        assertThat(redis.hasKey(REDIS_KEY)).isFalse();
    }

    @Test
    void aReportEndsWhenItsLockIsTakenAwayAndSaysSo() {
        CompletableFuture<Answer> report = shop.postMeanwhile("/demo/report?seconds=40");
        await().until(() -> redis.hasKey(REDIS_KEY));

        redis.delete(REDIS_KEY);

        JsonNode problem = report.join().problem(500);
        assertThat(problem.get("lock").asString()).isEqualTo("report");
        assertThat(problem.get("detail").asString()).contains("lost");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "601", "-1", "long"})
    void aReportOfAnImpossibleLengthIsRefused(String seconds) {
        assertThat(shop.post("/demo/report?seconds=" + seconds)
                        .problem(422)
                        .get("detail")
                        .asString())
                .contains("seconds");
    }
}
