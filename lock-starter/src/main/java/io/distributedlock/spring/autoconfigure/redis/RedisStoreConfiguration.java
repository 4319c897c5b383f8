package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.LockClient;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisDiagnosis;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.redis.ReplicatedLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spring.LockConnectionFactory;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Redis;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Locks in the application's Redis. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = RedisStoreConfiguration.DRIVER)
@ConditionalOnProperty(name = "distributed-lock.store", havingValue = "redis", matchIfMissing = true)
@ConditionalOnMissingBean({LockStore.class, LockClient.class})
public final class RedisStoreConfiguration {

    /** Here since Lettuce 6.6. Older versions send a command once more after a reconnect, which locks can't allow. */
    public static final String DRIVER = "io.lettuce.core.ClientOptions$ReauthenticateBehavior";

    private static final String URL = DistributedLockProperties.PREFIX + ".redis.url";
    private static final String APPLICATION_BUNDLE = "spring.data.redis.ssl.bundle";
    private static final String SSL_BUNDLE = DistributedLockProperties.PREFIX + ".redis.ssl-bundle";

    @Bean
    LockCredentials distributedLockCredentials(
            ObjectProvider<RedisCredentialsProviderFactory> factories,
            ObjectProvider<RedisCredentialsProvider> providers) {
        return new LockCredentials(factories, providers);
    }

    @Bean
    @ConditionalOnMissingBean
    RedisClientSource distributedLockRedisClients(
            @LockConnectionFactory ObjectProvider<RedisConnectionFactory> forLocks,
            ObjectProvider<RedisConnectionFactory> factories,
            ObjectProvider<RedisStaticMasterReplicaConfiguration> fixedReplicas,
            ObjectProvider<SslBundles> bundles,
            LockCredentials credentials,
            DistributedLockProperties properties,
            Environment environment) {
        Redis redis = properties.redis();
        if (redis.url() != null) {
            RedisURI uri = credentials.complete(QuorumAddresses.parse(redis.url(), URL));
            QuorumStoreConfiguration.requireTls(redis.sslBundle(), List.of(uri), SSL_BUNDLE, URL);
            return RedisClientSource.of(uri, QuorumStoreConfiguration.options(redis.sslBundle(), bundles));
        }
        RedisTarget.refuseFixedReplicas(environment, fixedReplicas);
        return new ApplicationRedisClients(RedisTarget.factory(
                forLocks,
                factories,
                credentials,
                () -> QuorumStoreConfiguration.options(environment.getProperty(APPLICATION_BUNDLE), bundles)));
    }

    @Bean
    @ConditionalOnMissingBean
    RedisLockConnection distributedLockConnections(
            RedisClientSource distributedLockRedisClients, DistributedLockProperties properties) {
        return new RedisLockConnection(distributedLockRedisClients, properties.effectiveCommandTimeout());
    }

    /** The server lets nothing else through on a connection that waits for replicas. */
    @Bean
    AdditionalConnections distributedLockReplicaConnections(
            RedisClientSource distributedLockRedisClients, DistributedLockProperties properties) {
        Redis redis = properties.redis();
        return new AdditionalConnections(
                redis.replicas() == 0
                        ? List.of()
                        : List.of(new RedisLockConnection(
                                distributedLockRedisClients, properties.effectiveCommandTimeout())));
    }

    @Bean
    LockStore distributedLockStore(
            RedisLockConnection distributedLockConnections,
            AdditionalConnections distributedLockReplicaConnections,
            DistributedLockProperties properties,
            Environment environment) {
        Redis redis = properties.redis();
        RedisLockStore store = new RedisLockStore(
                distributedLockConnections,
                properties.effectiveKeyPrefix(environment),
                redis.notifications(),
                redis.scripts());
        return redis.replicas() == 0
                ? store
                : new ReplicatedLockStore(
                        store,
                        distributedLockReplicaConnections.all().get(0),
                        redis.replicas(),
                        redis.replicaTimeout());
    }

    @Bean
    @ConditionalOnSwitch("distributed-lock.redis.self-test")
    RedisSelfCheck distributedLockSelfTest(
            LockStore distributedLockStore,
            RedisLockConnection distributedLockConnections,
            DistributedLockProperties properties,
            Environment environment) {
        RedisDiagnosis diagnosis = new RedisDiagnosis(
                distributedLockConnections,
                properties.effectiveKeyPrefix(environment),
                properties.redis().notifications(),
                properties.redis().scripts());
        return new RedisSelfCheck(distributedLockStore, diagnosis, "").begin();
    }
}
