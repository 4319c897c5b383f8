package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.distributedlock.testkit.topology.SentinelSet;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The same shop on Sentinel, on a Cluster and on a quorum: a profile and the addresses are all that changes. */
class TopologyTests {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void theShopOnSentinelGoesOnSellingAfterTheDeathOfTheMaster() {
        try (SentinelSet set = SentinelSet.start();
                ConfigurableApplicationContext context = open(
                        "sentinel",
                        "spring.data.redis.sentinel.master=" + SentinelSet.MASTER_NAME,
                        "spring.data.redis.sentinel.nodes=" + addresses(set.sentinels()),
                        "spring.data.redis.password=" + set.password())) {
            Shop shop = shop(context);
            assertExactlyTheStockIsSold(shop);
            RedisServer former = set.master();
            former.kill();
            set.awaitPromotion(former);
            awaitOrder(shop);
            assertExactlyTheStockIsSold(shop);
        }
    }

    @Test
    void theShopOnAClusterSellsExactlyItsStock() {
        try (RedisCluster cluster = RedisCluster.start();
                ConfigurableApplicationContext context =
                        open("cluster", "spring.data.redis.cluster.nodes=" + addresses(cluster.nodes()))) {
            assertExactlyTheStockIsSold(shop(context));
        }
    }

    @Test
    void theShopOnAQuorumGoesOnSellingWithoutAMinority() {
        try (RedisFleet fleet = RedisFleet.start(3);
                ConfigurableApplicationContext context = open(
                        "quorum",
                        "distributed-lock.quorum.urls=" + String.join(",", fleet.uris()),
                        "distributed-lock.quorum.restart-quarantine=0")) {
            Shop shop = shop(context);
            assertExactlyTheStockIsSold(shop);
            fleet.server(0).kill();
            awaitOrder(shop);
            assertExactlyTheStockIsSold(shop);
        }
    }

    private static ConfigurableApplicationContext open(String profile, String... more) {
        return SpringApplication.run(
                ShopApplication.class,
                Stream.concat(
                                Stream.of(
                                        "spring.profiles.active=" + profile,
                                        "server.port=0",
                                        "shop.order-work=0s",
                                        "distributed-lock.wait-time=1m"),
                                Stream.of(more))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    private static Shop shop(ConfigurableApplicationContext context) {
        return Shop.openAt(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    private static String addresses(List<RedisServer> servers) {
        return servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(","));
    }

    private static void awaitOrder(Shop shop) {
        await().atMost(LIMIT).until(() -> shop.order(42, 7).status() == 201);
    }

    private static void assertExactlyTheStockIsSold(Shop shop) {
        JsonNode result =
                shop.post("/demo/flash-sale?buyers=40&stock=15&lock=lock").success(200);
        assertThat(result.get("sold").asInt()).isEqualTo(15);
        assertThat(result.get("oversold").asInt()).isZero();
        assertThat(result.get("refused").asInt()).isEqualTo(25);
    }
}
