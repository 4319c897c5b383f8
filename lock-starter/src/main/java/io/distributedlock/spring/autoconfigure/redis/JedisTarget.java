package io.distributedlock.spring.autoconfigure.redis;

import io.lettuce.core.ClientOptions;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * The Redis of an application on Jedis, described for the driver that locks need. The application stays on Jedis.
 *
 * <p>Address, database, credentials and client name come from the application's factory. It holds whom to trust with
 * TLS in a form that only Jedis can use, so that comes from Spring Boot's bundle.
 */
final class JedisTarget {

    private JedisTarget() {}

    /**
     * A factory that is never started: it knows where to connect to.
     *
     * @param credentials for a factory that names no password
     * @param tls options with the certificates that the application trusts
     */
    static LettuceConnectionFactory of(
            JedisConnectionFactory application, LockCredentials credentials, Supplier<ClientOptions> tls) {
        LettuceClientConfigurationBuilder settings = LettuceClientConfiguration.builder();
        if (application.isUseSsl()) {
            settings.clientOptions(tls.get()).useSsl();
        }
        if (application.getClientName() != null) {
            settings.clientName(application.getClientName());
        }
        RedisCredentialsProviderFactory changing = credentials.factory();
        if (application.getPassword() == null && changing != null) {
            settings.redisCredentialsProviderFactory(changing);
        }
        return describe(application, settings.build());
    }

    private static LettuceConnectionFactory describe(
            JedisConnectionFactory application, LettuceClientConfiguration settings) {
        RedisClusterConfiguration cluster = application.getClusterConfiguration();
        if (cluster != null) {
            return new LettuceConnectionFactory(cluster, settings);
        }
        RedisSentinelConfiguration sentinels = application.getSentinelConfiguration();
        return sentinels == null
                ? new LettuceConnectionFactory(
                        Objects.requireNonNull(application.getStandaloneConfiguration()), settings)
                : new LettuceConnectionFactory(sentinels, settings);
    }
}
