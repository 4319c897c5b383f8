package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

@ExtendWith(OutputCaptureExtension.class)
class ContextRestartTests {

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void aStoppedContextHoldsNoLockAndConnectsAgainWhenItIsStarted() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            LockClient client = shop.getBean(LockClient.class);
            LockHandle held = client.acquire("42");
            assertThat(lockConnections()).isOne();

            shop.stop();
            assertReleased();
            assertThat(held.isHeld()).isFalse();
            awaitNoLockConnection();
            assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> client.acquire("42"));

            shop.start();
            assertLocksWork(shop);
        }
    }

    @Test
    void aPausedContextIsUsableAgainAfterItsRestart() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            for (int round = 0; round < 3; round++) {
                assertLocksWork(shop);
                shop.pause();
                assertThat(shop.getBean(LockClient.class).held()).isEmpty();
                shop.restart();
            }
            assertLocksWork(shop);
            assertThat(lockConnections()).isOne();
        }
    }

    @Test
    void theApplicationsOwnConnectionIsLeftAlone() {
        try (ConfigurableApplicationContext shop = start()) {
            StringRedisTemplate own = shop.getBean(StringRedisTemplate.class);
            own.opsForValue().set("own", "1");
            shop.getBean(LockClient.class).acquire("42").close();
            shop.pause();
            shop.restart();
            assertThat(own.opsForValue().get("own")).isEqualTo("1");
        }
    }

    @Test
    void aContextThatIsClosedReleasesItsLocksWithoutAWarning(CapturedOutput output) {
        try (ConfigurableApplicationContext shop = start()) {
            shop.getBean(LockClient.class).acquire("42");
            assertThat(redis.command("EXISTS", "lock:{42}")).isEqualTo(1L);
        }
        assertReleased();
        awaitNoLockConnection();
        assertThat(output).doesNotContain(" WARN ").doesNotContain(" ERROR ");
    }

    static class EarlyBird implements InitializingBean {
        private final Stock stock;

        EarlyBird(Stock stock) {
            this.stock = stock;
        }

        @Override
        public void afterPropertiesSet() {
            assertThat(stock.take("worm")).isEqualTo("Stock.take/item:worm");
        }
    }

    @Test
    void locksWorkBeforeTheContextHasStarted() throws Exception {
        try (ConfigurableApplicationContext shop =
                ShopApplication.start(new Class<?>[] {EarlyBird.class}, "spring.data.redis.port=" + redis.port())) {
            assertLocksWork(shop);
            assertThat(lockConnections()).isOne();
        }
    }

    private ConfigurableApplicationContext start() {
        return ShopApplication.start(
                "spring.data.redis.port=" + redis.port(), "distributed-lock.shutdown.drain-time=0s");
    }

    private static void assertLocksWork(ConfigurableApplicationContext shop) throws Exception {
        OrderService orders = shop.getBean(OrderService.class);
        assertThat(orders.underLock("42", () -> OtherThread.call(() -> orders.tryPlace("42"))))
                .isEmpty();
        assertThat(orders.tryPlace("42")).isPresent();
    }

    private void assertReleased() {
        assertThat(redis.command("EXISTS", "lock:{42}")).isEqualTo(0L);
    }

    /** Redis notices the end of a connection a moment later. */
    private void awaitNoLockConnection() {
        await().until(() -> lockConnections() == 0);
    }

    private long lockConnections() {
        return String.valueOf(redis.command("CLIENT", "LIST"))
                .lines()
                .filter(client -> client.contains("name=distributed-lock"))
                .count();
    }
}
