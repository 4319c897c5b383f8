package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.distributedlock.testkit.topology.SentinelSet;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An application on Jedis stays on Jedis, and its locks go to the same Redis with a driver of their own. */
class JedisTests {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String PASSWORD = "open-sesame";

    private static ConfigurableApplicationContext start(String... properties) {
        return ShopApplication.start(
                Stream.concat(Stream.of("spring.data.redis.client-type=jedis"), Arrays.stream(properties))
                        .toArray(String[]::new));
    }

    @Test
    void locksGoToTheRedisDatabaseAndUserOfTheApplication() {
        try (RedisServer redis = RedisServer.start("--requirepass", PASSWORD)) {
            redis.command("ACL", "SETUSER", "shop", "on", ">" + PASSWORD, "~*", "&*", "+@all");
            try (ConfigurableApplicationContext shop = start(
                            "spring.data.redis.url=redis://shop:" + PASSWORD + "@127.0.0.1:" + redis.port() + "/3",
                            "spring.data.redis.client-name=till");
                    LockHandle held = shop.getBean(LockClient.class).acquire("42")) {
                assertThat(held.isHeld()).isTrue();
                assertThat(String.valueOf(redis.command("CLIENT", "LIST"))
                                .lines()
                                .filter(client -> client.contains(" name=till-distributed-lock ")))
                        .singleElement()
                        .asString()
                        .contains(" db=3 ")
                        .contains(" user=shop ");
                StringRedisTemplate own = shop.getBean(StringRedisTemplate.class);
                assertThat(shop.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
                assertThat(own.hasKey("lock:{42}")).isTrue();
            }
        }
    }

    @Test
    void locksGoToTheMasterThatSentinelsName() {
        try (SentinelSet set = SentinelSet.startWithoutFailover();
                ConfigurableApplicationContext shop = start(
                        "spring.data.redis.sentinel.master=" + SentinelSet.MASTER_NAME,
                        "spring.data.redis.sentinel.nodes=" + addresses(set.sentinels()),
                        "spring.data.redis.password=" + set.password())) {
            LockHandle lock = take(shop);
            assertThat(set.master().command("EXISTS", "lock:{42}")).isEqualTo(1L);
            lock.release();
        }
    }

    @Test
    void locksGoToTheNodesOfTheCluster() {
        try (RedisCluster cluster = RedisCluster.start();
                ConfigurableApplicationContext shop =
                        start("spring.data.redis.cluster.nodes=" + addresses(cluster.nodes()))) {
            LockHandle lock = take(shop);
            assertThat(cluster.masterOf("lock:{42}").command("EXISTS", "lock:{42}"))
                    .isEqualTo(1L);
            lock.release();
        }
    }

    @Test
    void anApplicationThatHasRemovedLettuceReadsWhatLocksNeed() throws Exception {
        assertThat(startWithoutLettuce("--spring.data.redis.client-type=jedis"))
                .contains("APPLICATION FAILED TO START")
                .contains("Locks need the driver Lettuce 6.6 or newer, but it is not on the class path")
                .contains("Do not exclude io.lettuce:lettuce-core");
    }

    /** In a JVM of its own, because nothing else takes a library from classes that are compiled against it. */
    private static String startWithoutLettuce(String... arguments) throws IOException, InterruptedException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("lettuce-core"))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-cp",
                                        classPath,
                                        JedisOnly.class.getName()),
                                Arrays.stream(arguments))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** Starts the application, and ends it. */
    static final class JedisOnly {

        private JedisOnly() {}

        public static void main(String[] arguments) {
            String[] properties = Arrays.stream(arguments)
                    .map(argument -> argument.substring(2))
                    .toArray(String[]::new);
            ShopApplication.start(properties).close();
        }
    }

    private static String addresses(List<RedisServer> servers) {
        return servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(","));
    }

    private static LockHandle take(ConfigurableApplicationContext shop) {
        return await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> unbound(shop.getBean(LockClient.class).acquire("42")), LockHandle::isHeld);
    }

    /** For the thread that tries ends with its tries. */
    private static LockHandle unbound(LockHandle lock) {
        lock.unbind();
        return lock;
    }
}
