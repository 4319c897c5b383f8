package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class GracefulEndTests {

    private static final long UMBRELLA = 7;

    @Test
    void anOrderThatIsUnderWayIsTakenUnderItsLockBeforeTheShopCloses() {
        try (RedisServer redis = RedisServer.start();
                ConfigurableApplicationContext application = start(redis)) {
            Shop shop =
                    Shop.openAt(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
            CompletableFuture<Answer> order = shop.orderMeanwhile(42, UMBRELLA);
            await().until(() -> isLocked(redis));

            application.close();

            order.join().success(201);
            assertThat(isLocked(redis)).isFalse();
        }
    }

    private static boolean isLocked(RedisServer redis) {
        return redis.command("EXISTS", "lock:shop:{OrderService.place:42}").equals(1L);
    }

    private static ConfigurableApplicationContext start(RedisServer redis) {
        return new SpringApplicationBuilder(ShopApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.data.redis.url=" + redis.uri(),
                        "--spring.datasource.generate-unique-name=true",
                        "--spring.lifecycle.timeout-per-shutdown-phase=1m",
                        "--distributed-lock.redis.command-timeout=5s",
                        "--distributed-lock.shutdown.drain-time=0s",
                        "--shop.order-work=2s");
    }
}
