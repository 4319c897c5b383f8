package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Where an application has a provider of credentials, its locks ask that one. */
class RotatedCredentialsTests {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String DRAIN = "distributed-lock.shutdown.drain-time=0s";

    @Test
    void credentialsThatTheApplicationsConnectionStreamsReachTheOpenConnectionOfLocks() {
        try (RedisServer redis = withUsers(RedisServer.start());
                ConfigurableApplicationContext shop = ShopApplication.start(
                        new Class<?>[] {StreamingConnection.class}, DRAIN, "spring.data.redis.port=" + redis.port())) {
            LockHandle held = shop.getBean(LockClient.class).acquire("42");
            String connection = lockConnection(redis);
            assertThat(connection).contains(" user=alice ");
            shop.getBean(Vault.class).changeTo("bob");

            await().atMost(LIMIT).until(() -> lockConnection(redis).contains(" user=bob "));
            assertThat(numberOf(lockConnection(redis))).isEqualTo(numberOf(connection));
            redis.command("ACL", "DELUSER", "alice");
            held.release();
            assertThat(redis.command("EXISTS", "lock:{42}")).isEqualTo(0L);
        }
    }

    @Test
    void aLockInAQuorumOutlastsAUserThatIsReplaced() {
        try (RedisFleet fleet = RedisFleet.start(3)) {
            fleet.servers().forEach(RotatedCredentialsTests::withUsers);
            String urls = fleet.servers().stream().map(RedisServer::uri).collect(Collectors.joining(","));
            try (ConfigurableApplicationContext shop = ShopApplication.start(
                    new Class<?>[] {OneProvider.class},
                    DRAIN,
                    "distributed-lock.store=quorum",
                    "distributed-lock.quorum.restart-quarantine=0",
                    "distributed-lock.quorum.urls=" + urls)) {
                LockHandle held = shop.getBean(LockClient.class)
                        .acquire(LockRequest.of("42").withWaitTime(LIMIT));
                await().atMost(LIMIT).until(() -> allOf(fleet.servers(), " user=alice "));
                shop.getBean(Vault.class).changeTo("bob");
                fleet.servers().forEach(server -> server.command("ACL", "DELUSER", "alice"));

                await().atMost(LIMIT).until(() -> allOf(fleet.servers(), " user=bob "));
                assertThat(held.isHeld()).isTrue();
                held.release();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"distributed-lock.redis.url=redis://127.0.0.1:", "spring.data.redis.port="})
    void anAddressWithoutPasswordAndAnApplicationOnJedisUseTheFactory(String address) {
        try (RedisServer redis = withUsers(RedisServer.start());
                ConfigurableApplicationContext shop = ShopApplication.start(
                        new Class<?>[] {OneFactory.class},
                        DRAIN,
                        "spring.data.redis.client-type=jedis",
                        address + redis.port())) {
            shop.getBean(LockClient.class).acquire("42").release();
            assertThat(lockConnection(redis)).contains(" user=alice ");
        }
    }

    @Test
    void anAddressWithAPasswordKeepsIt() {
        try (RedisServer redis = withUsers(RedisServer.start());
                ConfigurableApplicationContext shop = ShopApplication.start(
                        new Class<?>[] {OneFactory.class},
                        DRAIN,
                        "distributed-lock.redis.url=redis://bob:secret@127.0.0.1:" + redis.port())) {
            shop.getBean(LockClient.class).acquire("42").release();
            assertThat(lockConnection(redis)).contains(" user=bob ");
        }
    }

    static class StreamingConnection {

        @Bean
        Vault vault() {
            return new Vault();
        }

        @Bean
        LettuceClientConfigurationBuilderCustomizer credentials(Vault vault) {
            return settings -> settings.redisCredentialsProviderFactory(factoryOf(new Streaming(vault)));
        }
    }

    static class OneProvider {

        @Bean
        Vault vault() {
            return new Vault();
        }

        @Bean
        RedisCredentialsProvider credentials(Vault vault) {
            return () -> Mono.fromSupplier(vault::now);
        }
    }

    static class OneFactory {

        @Bean
        RedisCredentialsProviderFactory credentials() {
            return factoryOf(new Streaming(new Vault()));
        }
    }

    private static RedisCredentialsProviderFactory factoryOf(RedisCredentialsProvider provider) {
        return new RedisCredentialsProviderFactory() {
            @Override
            public @Nullable RedisCredentialsProvider createCredentialsProvider(RedisConfiguration target) {
                return provider;
            }
        };
    }

    static final class Vault {

        private final Sinks.Many<RedisCredentials> changes =
                Sinks.many().replay().latest();
        private volatile RedisCredentials now = RedisCredentials.just("alice", "secret");

        RedisCredentials now() {
            return now;
        }

        void changeTo(String user) {
            now = RedisCredentials.just(user, "secret");
            changes.tryEmitNext(now);
        }
    }

    private record Streaming(Vault vault) implements RedisCredentialsProvider {

        @Override
        public Mono<RedisCredentials> resolveCredentials() {
            return Mono.fromSupplier(vault::now);
        }

        @Override
        public boolean supportsStreaming() {
            return true;
        }

        @Override
        public Flux<RedisCredentials> credentials() {
            return vault.changes.asFlux();
        }
    }

    private static RedisServer withUsers(RedisServer server) {
        for (String user : List.of("alice", "bob")) {
            server.command("ACL", "SETUSER", user, "on", ">secret", "~*", "&*", "+@all");
        }
        return server;
    }

    private static boolean allOf(List<RedisServer> servers, String user) {
        return servers.stream().allMatch(server -> lockConnection(server).contains(user));
    }

    /** Empty while there is none. */
    private static String lockConnection(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(client -> !client.contains(" user=default "))
                .findFirst()
                .orElse("");
    }

    private static String numberOf(String connection) {
        return connection.split(" ", 2)[0];
    }
}
