package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.LockClient;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.QuorumProperties;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * Locks kept by a majority of independent Redis masters. The application's own Redis, if it has one, is none of them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = RedisStoreConfiguration.DRIVER)
@ConditionalOnProperty(name = "distributed-lock.store", havingValue = "quorum")
@ConditionalOnMissingBean({LockStore.class, LockClient.class})
@EnableConfigurationProperties(QuorumProperties.class)
public final class QuorumStoreConfiguration {

    @Bean
    LockCredentials distributedLockCredentials(
            ObjectProvider<RedisCredentialsProviderFactory> factories,
            ObjectProvider<RedisCredentialsProvider> providers) {
        return new LockCredentials(factories, providers);
    }

    @Bean
    QuorumNodes distributedLockQuorumNodes(
            DistributedLockProperties locks,
            QuorumProperties quorum,
            LockCredentials credentials,
            ObjectProvider<SslBundles> bundles) {
        quorum.check(locks.ttl(), locks.effectiveCommandTimeout());
        Map<String, RedisURI> addresses = QuorumAddresses.of(quorum.urls());
        addresses.values().forEach(credentials::complete);
        return new QuorumNodes(
                addresses, options(quorum.sslBundle(), addresses, bundles), locks.effectiveCommandTimeout());
    }

    @Bean
    AdditionalConnections distributedLockNodeConnections(QuorumNodes nodes) {
        return new AdditionalConnections(nodes.connections());
    }

    @Bean
    LockStore distributedLockStore(
            QuorumNodes nodes, DistributedLockProperties locks, QuorumProperties quorum, Environment environment) {
        return nodes.store(locks, quorum, locks.effectiveKeyPrefix(environment));
    }

    private static ClientOptions options(
            @Nullable String bundle, Map<String, RedisURI> addresses, ObjectProvider<SslBundles> bundles) {
        requireTls(
                bundle, addresses.values(), QuorumProperties.PREFIX + ".ssl-bundle", QuorumProperties.PREFIX + ".urls");
        return options(bundle, bundles);
    }

    /** @throws LockConfigurationException if there is a bundle, but no address that uses TLS */
    static void requireTls(
            @Nullable String bundle, Collection<RedisURI> addresses, String property, String addressProperty) {
        if (bundle != null && addresses.stream().noneMatch(RedisURI::isSsl)) {
            throw new LockConfigurationException(
                    property + " is set, but no address in " + addressProperty + " uses TLS",
                    "Write rediss:// instead of redis://, or remove the bundle");
        }
    }

    /** Options of the driver with the certificates of a bundle, if there is one. */
    static ClientOptions options(@Nullable String bundle, ObjectProvider<SslBundles> bundles) {
        return bundle == null
                ? ClientOptions.create()
                : ClientOptions.builder()
                        .sslOptions(trust(bundles.getObject().getBundle(bundle)))
                        .build();
    }

    private static SslOptions trust(SslBundle bundle) {
        SslOptions.Builder options = SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        String[] ciphers = bundle.getOptions().getCiphers();
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (ciphers != null) {
            options.cipherSuites(ciphers);
        }
        if (protocols != null) {
            options.protocols(protocols);
        }
        return options.build();
    }
}
