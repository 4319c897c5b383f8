package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.server.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Whatever way the application's Redis is described in, the locks go there. */
class RedisAddressTests {

    private static final String PASSWORD = "open-sesame";
    private static final RedisServer REDIS = RedisServer.start("--requirepass", PASSWORD);

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    static List<List<String>> addresses() {
        REDIS.command("ACL", "SETUSER", "shop", "on", ">" + PASSWORD, "~lock:*", "+@all");
        String port = "spring.data.redis.port=" + REDIS.port();
        return List.of(
                List.of(port, "spring.data.redis.password=" + PASSWORD, "spring.data.redis.database=3"),
                List.of(
                        port,
                        "spring.data.redis.username=shop",
                        "spring.data.redis.password=" + PASSWORD,
                        "spring.data.redis.database=3"),
                List.of("spring.data.redis.url=redis://:" + PASSWORD + "@127.0.0.1:" + REDIS.port() + "/3"),
                List.of("spring.data.redis.url=redis://shop:" + PASSWORD + "@127.0.0.1:" + REDIS.port() + "/3"));
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void databaseAndCredentialsAreThoseOfTheApplication(List<String> address) {
        try (ConfigurableApplicationContext shop = ShopApplication.start(address.toArray(String[]::new));
                LockHandle held = shop.getBean(LockClient.class).acquire("42")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(String.valueOf(REDIS.command("INFO", "keyspace"))).contains("db3:");
            String connection = lockConnection();
            assertThat(connection).contains(" db=3 ");
            assertThat(connection).contains(address.toString().contains("shop") ? " user=shop " : " user=default ");
        }
    }

    @Test
    void theLockConnectionIsNamedAfterTheApplications() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(
                        "spring.data.redis.port=" + REDIS.port(),
                        "spring.data.redis.password=" + PASSWORD,
                        "spring.data.redis.client-name=shop");
                LockHandle held = shop.getBean(LockClient.class).acquire("42")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(lockConnection()).contains(" name=shop-distributed-lock ");
        }
    }

    @Test
    void aWrongPasswordIsReportedAndNotKeptForLater() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(
                "spring.data.redis.port=" + REDIS.port(),
                "spring.data.redis.password=wrong",
                "distributed-lock.wait-time=1s")) {
            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> shop.getBean(LockClient.class).acquire("42"))
                    .withMessageContaining("WRONGPASS");
        }
    }

    private static String lockConnection() {
        return String.valueOf(REDIS.command("CLIENT", "LIST"))
                .lines()
                .filter(client -> client.contains("distributed-lock"))
                .reduce((one, two) -> {
                    throw new AssertionError("more than one lock connection");
                })
                .orElseThrow();
    }
}
