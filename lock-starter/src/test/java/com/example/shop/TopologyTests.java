package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.distributedlock.testkit.topology.SentinelSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Configuration alone takes an application's locks to Sentinel or a Cluster, and they outlast the death of a master
 * there.
 */
class TopologyTests {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String KEY = "lock:{42}";

    @Test
    void locksBehindSentinelsOutlastTheirMaster() {
        try (SentinelSet set = SentinelSet.start();
                ConfigurableApplicationContext shop = ShopApplication.start(
                        "spring.data.redis.sentinel.master=" + SentinelSet.MASTER_NAME,
                        "spring.data.redis.sentinel.nodes=" + addresses(set.sentinels()),
                        "spring.data.redis.password=" + set.password(),
                        "distributed-lock.redis.replicas=1",
                        "distributed-lock.redis.replica-timeout=500ms")) {
            LockHandle lock = take(shop);
            RedisServer former = set.master();
            awaitReplica(former, 2);
            former.kill();
            set.awaitPromotion(former);
            assertOutlasted(shop, lock);
        }
    }

    @Test
    void locksInAClusterOutlastTheirMaster() {
        try (RedisCluster cluster = RedisCluster.start();
                ConfigurableApplicationContext shop =
                        ShopApplication.start("spring.data.redis.cluster.nodes=" + addresses(cluster.nodes()))) {
            LockHandle lock = take(shop);
            RedisServer former = cluster.masterOf(KEY);
            awaitReplica(former, 1);
            former.kill();
            cluster.awaitFailover(KEY, former);
            assertOutlasted(shop, lock);
        }
    }

    private static String addresses(List<RedisServer> servers) {
        return servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(","));
    }

    private static void awaitReplica(RedisServer master, int replicas) {
        assertThat(master.command("WAIT", Integer.toString(replicas), "30000")).isEqualTo((long) replicas);
    }

    private static LockHandle take(ConfigurableApplicationContext shop) {
        return await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(
                        () -> unbound(shop.getBean(LockClient.class)
                                .acquire(LockRequest.of("42").withFencing())),
                        LockHandle::isHeld);
    }

    /** For the thread that tries ends with its tries. */
    private static LockHandle unbound(LockHandle lock) {
        lock.unbind();
        return lock;
    }

    /**
     * The new master has the lock for its holder, until that one releases it. The order may be at a master that was
     * never lost.
     */
    private static void assertOutlasted(ConfigurableApplicationContext shop, LockHandle lock) {
        OrderService orders = shop.getBean(OrderService.class);
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> orders.tryPlace("7").isPresent());
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(CompletionException.class)
                .until(() -> lock.extendAsync(Duration.ofSeconds(30)).join());
        lock.release();
        LockHandle next = take(shop);
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        next.release();
    }
}
