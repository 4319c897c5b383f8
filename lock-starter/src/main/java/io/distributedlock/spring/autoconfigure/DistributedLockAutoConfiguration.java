package io.distributedlock.spring.autoconfigure;

import static java.util.Objects.requireNonNullElse;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockClient;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockListener;
import io.distributedlock.LockObserver;
import io.distributedlock.LockTemplate;
import io.distributedlock.ReleasePolicy;
import io.distributedlock.TtlPolicy;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spring.IdentityDetail;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.NamedPolicies;
import io.distributedlock.spring.autoconfigure.properties.UnknownPropertiesCheck;
import io.distributedlock.spring.autoconfigure.redis.AdditionalConnections;
import io.distributedlock.spring.autoconfigure.redis.QuorumNodes;
import io.distributedlock.spring.autoconfigure.redis.QuorumStoreConfiguration;
import io.distributedlock.spring.autoconfigure.redis.RedisStoreConfiguration;
import io.lettuce.core.LettuceVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The lock client, its template and the store behind them. Each of these beans steps back for one of the application's
 * own.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnSwitch("distributed-lock.enabled")
@EnableConfigurationProperties(DistributedLockProperties.class)
@Import({RedisStoreConfiguration.class, QuorumStoreConfiguration.class})
public final class DistributedLockAutoConfiguration {

    static final String CLIENT = "distributedLockClient";

    @Bean(CLIENT)
    @ConditionalOnMissingBean
    LockClient distributedLockClient(
            DistributedLockProperties properties,
            LockStore distributedLockStore,
            ObjectProvider<LockListener> listeners,
            ListableBeanFactory beans,
            Environment environment) {
        LockClientBuilder builder = LockClient.builder(distributedLockStore)
                .waitTime(properties.waitTime())
                .ttl(properties.ttl())
                .stopMargin(properties.stopMargin())
                .longHoldWarning(properties.longHoldWarning())
                .releases(properties.releaseMode())
                .barging(properties.waiting().barging())
                .maxWaiters(
                        properties.waiting().maxPerLock(), properties.waiting().maxTotal())
                .commandTimeout(properties.effectiveCommandTimeout());
        if (properties.maxHold() != null) {
            builder.maxHold(properties.maxHold());
        }
        ClientIdentity identity = identity(properties.identity(), environment);
        if (identity != null) {
            builder.identity(identity);
        }
        for (LockListener listener : listeners.orderedStream().toList()) {
            builder.listener(listener);
        }
        NamedPolicies.addTo(builder, properties.policies(), beans.getBeansOfType(TtlPolicy.class));
        return builder.build();
    }

    private static @Nullable ClientIdentity identity(IdentityDetail published, Environment environment) {
        ClientIdentity all = ClientIdentity.ofProcess(
                environment.getProperty("spring.application.name"),
                environment.getProperty("spring.application.version"));
        return switch (published) {
            case FULL -> all;
            case APPLICATION -> new ClientIdentity(all.application(), all.version(), null, null, all.startedAt());
            case NONE -> null;
        };
    }

    @Bean
    @ConditionalOnMissingBean
    LockTemplate distributedLockTemplate(
            LockClient distributedLockClient,
            ObjectProvider<ReleasePolicy> distributedLockReleasePolicy,
            ObjectProvider<LockObserver> observer) {
        return new LockTemplate(
                distributedLockClient,
                requireNonNullElse(distributedLockReleasePolicy.getIfAvailable(), ReleasePolicy.AT_RETURN),
                requireNonNullElse(observer.getIfAvailable(), LockObserver.NONE));
    }

    @Bean
    static UnknownPropertiesCheck distributedLockUnknownPropertiesCheck(ConfigurableEnvironment environment) {
        return new UnknownPropertiesCheck(environment);
    }

    @Bean
    LockLifecycle distributedLockLifecycle(
            LockClient distributedLockClient,
            ObjectProvider<RedisLockConnection> distributedLockConnections,
            ObjectProvider<AdditionalConnections> more,
            ObjectProvider<RedisClientSource> redis,
            ObjectProvider<QuorumNodes> quorum,
            DistributedLockProperties properties,
            Environment environment) {
        List<RedisLockConnection> all = new ArrayList<>();
        RedisLockConnection first = distributedLockConnections.getIfUnique();
        if (first != null) {
            all.add(first);
        }
        for (AdditionalConnections others : more) {
            all.addAll(others.all());
        }
        return new LockLifecycle(
                distributedLockClient,
                List.copyOf(all),
                properties.shutdown().drainTime(),
                properties.redis().failFast(),
                properties.summary(place(properties, redis, quorum), environment));
    }

    private static String place(
            DistributedLockProperties properties,
            ObjectProvider<RedisClientSource> redis,
            ObjectProvider<QuorumNodes> quorum) {
        @Nullable
        Object place = switch (properties.store()) {
            case MEMORY -> "the memory of this process";
            case QUORUM -> quorum.getIfUnique();
            case REDIS -> redis.getIfUnique();
        };
        return place == null ? "a store of the application" : place.toString();
    }

    @Bean
    LockEventPublisher distributedLockEventPublisher(ConfigurableApplicationContext context) {
        return new LockEventPublisher(context);
    }

    /** An application on another driver may have excluded ours, and Spring Boot 3.2 to 3.4 bring an older one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(RedisStoreConfiguration.DRIVER)
    @ConditionalOnExpression("!'memory'.equalsIgnoreCase('${distributed-lock.store:redis}')")
    @ConditionalOnMissingBean({LockStore.class, LockClient.class})
    static final class MissingDriverConfiguration {

        private static final String VERSION = "io.lettuce.core.LettuceVersion";

        @Bean
        LockStore distributedLockStore() {
            boolean old = ClassUtils.isPresent(VERSION, null);
            throw new LockConfigurationException(
                    "Locks need the driver Lettuce 6.6 or newer, but "
                            + (old ? "this is Lettuce " + LettuceVersion.getVersion() : "it is not on the class path")
                            + " (Spring Boot " + SpringBootVersion.getVersion() + ")",
                    old
                            ? "Locks run on Spring Boot 3.5, 4.0 and 4.1 as they are, and on 3.2 to 3.4 with a newer"
                                    + " driver: set lettuce.version to 6.6.0.RELEASE, where Spring Boot manages"
                                    + " versions, or the version of io.lettuce:lettuce-core"
                            : "Do not exclude io.lettuce:lettuce-core, which the starter brings; the application itself"
                                    + " may stay on Jedis (spring.data.redis.client-type=jedis)");
        }
    }

    /** Locks inside this process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "distributed-lock.store", havingValue = "memory")
    @ConditionalOnMissingBean({LockStore.class, LockClient.class})
    static final class MemoryStoreConfiguration {

        @Bean
        LockStore distributedLockStore() {
            return new InMemoryLockStore();
        }
    }
}
