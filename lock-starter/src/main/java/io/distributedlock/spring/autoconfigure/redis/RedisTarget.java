package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.spring.LockConfigurationException;
import io.lettuce.core.ClientOptions;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Which Redis the application uses, and whether locks can be kept there. */
final class RedisTarget {

    private static final String MASTER_AND_REPLICAS = "spring.data.redis.masterreplica.nodes";

    private static final String OWN_SOURCE = "set distributed-lock.redis.url to a Redis for the locks alone";

    private RedisTarget() {}

    /**
     * The application's factory, or one for the Redis of an application on Jedis.
     *
     * @param credentials for an application on Jedis whose factory names no password
     * @param tls options with the certificates that the application trusts
     * @throws LockConfigurationException if there is no single factory, or if it leads to where no lock can be kept
     */
    static LettuceConnectionFactory factory(
            ObjectProvider<RedisConnectionFactory> forLocks,
            ObjectProvider<RedisConnectionFactory> factories,
            LockCredentials credentials,
            Supplier<ClientOptions> tls) {
        RedisConnectionFactory marked = forLocks.getIfUnique();
        RedisConnectionFactory bean = marked != null ? marked : factories.getIfUnique();
        if (bean == null) {
            throw none(factories.stream().count());
        }
        Object factory = Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(bean), bean);
        if (factory instanceof LettuceConnectionFactory lettuce) {
            of(lettuce);
            return lettuce;
        }
        if (factory instanceof JedisConnectionFactory jedis) {
            return JedisTarget.of(jedis, credentials, tls);
        }
        throw new LockConfigurationException(
                "Locks need a LettuceConnectionFactory or a JedisConnectionFactory, but the application's"
                        + " RedisConnectionFactory is a " + factory.getClass().getName(),
                "Use one of these two, or " + OWN_SOURCE);
    }

    /**
     * Looks at what Spring Boot makes a factory from that does not tell.
     *
     * @throws LockConfigurationException if that is a fixed list of master and replicas
     */
    static void refuseFixedReplicas(
            Environment environment, ObjectProvider<RedisStaticMasterReplicaConfiguration> configurations) {
        boolean listed = Binder.get(environment)
                .bind(MASTER_AND_REPLICAS, Bindable.listOf(String.class))
                .isBound();
        if (listed || configurations.stream().findAny().isPresent()) {
            throw new LockConfigurationException(
                    "Locks can't be kept in a Redis with a fixed list of master and replicas (" + MASTER_AND_REPLICAS
                            + "): nothing tells the lock client when another node becomes the master",
                    "Use spring.data.redis.sentinel or spring.data.redis.cluster, or " + OWN_SOURCE);
        }
    }

    private static LockConfigurationException none(long count) {
        return count == 0
                ? new LockConfigurationException(
                        "Locks are kept in Redis, but there is no RedisConnectionFactory",
                        "Add spring-boot-starter-data-redis and set spring.data.redis.*, or " + OWN_SOURCE
                                + ". An application that runs as a single process can set"
                                + " distributed-lock.store=memory")
                : new LockConfigurationException(
                        "Locks are kept in Redis, but there are " + count
                                + " RedisConnectionFactory beans and none is primary",
                        "Mark the one for locks with @LockConnectionFactory or @Primary, or " + OWN_SOURCE);
    }

    /** Where a factory leads to, for the log: without user and password. */
    static String addressOf(LettuceConnectionFactory factory) {
        RedisConfiguration target = of(factory);
        if (target instanceof RedisClusterConfiguration cluster) {
            return "the Redis Cluster at " + cluster.getClusterNodes();
        }
        if (target instanceof RedisSentinelConfiguration sentinel) {
            return "the Redis master that Sentinels name, at " + sentinel.getSentinels();
        }
        return target instanceof RedisSocketConfiguration socket
                ? "Redis at " + socket.getSocket()
                : "Redis at " + factory.getHostName() + ":" + factory.getPort();
    }

    /**
     * The address, database and credentials that a factory was made from.
     *
     * @throws LockConfigurationException if its getters do not tell
     */
    static RedisConfiguration of(LettuceConnectionFactory factory) {
        if (factory.getClusterConfiguration() != null) {
            return factory.getClusterConfiguration();
        }
        if (factory.getSentinelConfiguration() != null) {
            return factory.getSentinelConfiguration();
        }
        if (factory.getSocketConfiguration() != null) {
            return factory.getSocketConfiguration();
        }
        RedisStandaloneConfiguration standalone = factory.getStandaloneConfiguration();
        if (isTargetOf(factory, standalone)) {
            return standalone;
        }
        throw new LockConfigurationException(
                "The application's LettuceConnectionFactory does not tell where it leads to: it was made by the"
                        + " constructor that"
                        + " takes any RedisConfiguration, or from a fixed list of master and replicas",
                "Make it by the constructor that takes a RedisStandaloneConfiguration, if need be with a cast, or "
                        + OWN_SOURCE);
    }

    /**
     * The most general constructor leaves a default in the place of a standalone configuration, while these four
     * getters answer right.
     */
    private static boolean isTargetOf(LettuceConnectionFactory factory, RedisStandaloneConfiguration standalone) {
        return standalone.getHostName().equals(factory.getHostName())
                && standalone.getPort() == factory.getPort()
                && standalone.getDatabase() == factory.getDatabase()
                && Objects.equals(standalone.getPassword().map(String::new).orElse(null), factory.getPassword());
    }
}
