package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.redis.LockClientOptions;
import io.distributedlock.redis.RedisClientSource;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.resource.ClientResources;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * Clients for locks that lead to the same Redis as the application's connection factory, with its address, database,
 * credentials and TLS, but with options of their own. The factory's own client is left alone: it comes and goes with
 * the application context.
 */
final class ApplicationRedisClients implements RedisClientSource {

    private static final String CLIENT_NAME = "distributed-lock";

    private final Map<AbstractRedisClient, Opened> open = new ConcurrentHashMap<>();
    private final LettuceConnectionFactory application;

    ApplicationRedisClients(LettuceConnectionFactory application) {
        this.application = application;
    }

    @Override
    public AbstractRedisClient open(LockClientOptions safety) {
        Opened opened = new Opened(application, safety);
        AbstractRedisClient client = opened.client();
        open.put(client, opened);
        return client;
    }

    @Override
    public void close(AbstractRedisClient client) {
        Opened opened = open.remove(client);
        if (opened != null) {
            opened.close();
        }
    }

    @Override
    public String toString() {
        return RedisTarget.addressOf(application);
    }

    /** One client, with the factory that made it and with driver resources if the application has none to share. */
    private static final class Opened {

        private final LettuceConnectionFactory factory;
        private final LettuceClientConfiguration settings;
        private final boolean ownResources;
        private final ClientResources resources;

        Opened(LettuceConnectionFactory application, LockClientOptions safety) {
            settings = application.getClientConfiguration();
            ownResources = settings.getClientResources().isEmpty();
            resources = settings.getClientResources().orElseGet(ClientResources::create);
            boolean cluster = application.isClusterAware();
            factory = new LettuceConnectionFactory(RedisTarget.of(application), derive(safety, cluster));
            factory.afterPropertiesSet();
        }

        private LettuceClientConfiguration derive(LockClientOptions safety, boolean cluster) {
            LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder();
            ClientOptions options = settings.getClientOptions()
                    .orElseGet(() -> cluster ? ClusterClientOptions.create() : ClientOptions.create());
            builder.clientOptions(safety.options(options))
                    .clientResources(safety.resources(resources))
                    .commandTimeout(safety.connectTimeout())
                    .clientName(settings.getClientName()
                            .map(name -> name + "-" + CLIENT_NAME)
                            .orElse(CLIENT_NAME))
                    .shutdownTimeout(settings.getShutdownTimeout())
                    .shutdownQuietPeriod(settings.getShutdownQuietPeriod());
            settings.getRedisCredentialsProviderFactory()
                    .ifPresent(factory -> builder.redisCredentialsProviderFactory(limited(factory, safety)));
            if (settings.isUseSsl()) {
                LettuceSslClientConfigurationBuilder tls = builder.useSsl().verifyPeer(settings.getVerifyMode());
                return settings.isStartTls() ? tls.startTls().build() : tls.build();
            }
            return builder.build();
        }

        private static RedisCredentialsProviderFactory limited(
                RedisCredentialsProviderFactory all, LockClientOptions safety) {
            return new RedisCredentialsProviderFactory() {
                @Override
                public @Nullable RedisCredentialsProvider createCredentialsProvider(RedisConfiguration target) {
                    return limited(all.createCredentialsProvider(target));
                }

                @Override
                public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration target) {
                    return safety.limited(all.createSentinelCredentialsProvider(target));
                }

                private @Nullable RedisCredentialsProvider limited(@Nullable RedisCredentialsProvider provider) {
                    return provider == null ? null : safety.limited(provider);
                }
            };
        }

        AbstractRedisClient client() {
            return factory.getRequiredNativeClient();
        }

        void close() {
            factory.destroy();
            if (ownResources) {
                resources.shutdown();
            }
        }
    }
}
