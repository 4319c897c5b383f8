package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** This JVM runs one shop, a child JVM another one, and both use one Redis. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "distributed-lock.ttl=6s")
class TwoProcessesTests {

    /** Ends with the JVM, not with the class: the shop stays connected until another test needs its own. */
    private static final RedisServer REDIS = RedisServer.start();

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final long NO_EXPIRY = -1;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void useThisRedis(DynamicPropertyRegistry registry) {
        registry.add("spring.data.redis.url", REDIS::uri);
    }

    @Test
    void anOrderInOneProcessKeepsAnotherOrderOfThatUserOutOfTheOther() {
        try (ChildJvm child = startShop("--shop.order-work=5s")) {
            Shop here = Shop.openAt(port);
            here.order(43, 7).success(201);
            CompletableFuture<Answer> there = shopOf(child).orderMeanwhile(42, 7);
            awaitKeyOf(there, "lock:shop:{OrderService.place:42}");

            assertThat(here.order(42, 7).problem(409).get("lock").asString()).isEqualTo("OrderService.place");
            here.order(43, 7).success(201);

            there.join().success(201);
            here.order(42, 7).success(201);
        }
    }

    @Tag("long")
    @Test
    void theLockOfAKilledProcessIsFreeWithinItsTtl() {
        try (ChildJvm child = startShop("--distributed-lock.ttl=6s")) {
            Shop here = Shop.openAt(port);
            CompletableFuture<Answer> there = shopOf(child).postMeanwhile("/demo/report?seconds=600");
            awaitKeyOf(there, "lock:shop:{report:daily}");
            here.post("/demo/report?seconds=1").problem(409);

            child.kill();

            assertThat(pttl("lock:shop:{report:daily}"))
                    .isLessThanOrEqualTo(6_000)
                    .isNotEqualTo(NO_EXPIRY);
            await().atMost(LONG)
                    .untilAsserted(() -> here.post("/demo/report?seconds=1").success(200));
            assertThat(there).failsWithin(LONG);
        }
    }

    private static ChildJvm startShop(String argument) {
        return ChildJvm.start(
                ShopApplication.class, "--server.port=0", "--spring.data.redis.url=" + REDIS.uri(), argument);
    }

    private static Shop shopOf(ChildJvm child) {
        String line = child.awaitLine(l -> l.contains("Tomcat started on port"), LONG);
        return Shop.openAt(Integer.parseInt(line.replaceAll(".*on port (\\d+) .*", "$1")));
    }

    private static void awaitKeyOf(CompletableFuture<Answer> request, String key) {
        await().atMost(LONG)
                .failFast("the request ended before it took its lock", request::isDone)
                .until(() -> Long.valueOf(1).equals(REDIS.command("EXISTS", key)));
    }

    private static long pttl(String key) {
        return (Long) REDIS.command("PTTL", key);
    }
}
