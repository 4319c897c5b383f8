package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.LockConfigurationException;
import java.lang.reflect.Field;
import java.util.Objects;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/** Which Redis the application uses, and whether locks can be kept there. */
final class RedisTarget {

    /** The field of a connection factory that has what its getters do not tell. */
    static final String CONFIGURATION = "configuration";

    private static final String OWN_SOURCE =
            "define a bean of type RedisClientSource, such as RedisClientSource.of(RedisURI), for the locks alone";

    private RedisTarget() {}

    /** @throws LockConfigurationException if there is no single factory, or if it leads to where no lock can be kept */
    static LettuceConnectionFactory factory(ObjectProvider<RedisConnectionFactory> factories) {
        RedisConnectionFactory bean = factories.getIfUnique();
        if (bean == null) {
            throw none(factories.stream().count());
        }
        Object factory = Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(bean), bean);
        if (!(factory instanceof LettuceConnectionFactory lettuce)) {
            throw new LockConfigurationException(
                    "Locks need a LettuceConnectionFactory, but the application's RedisConnectionFactory is a "
                            + factory.getClass().getName(),
                    "Use Lettuce (io.lettuce:lettuce-core, and no spring.data.redis.client-type=jedis), or "
                            + OWN_SOURCE);
        }
        if (RedisConfiguration.isStaticMasterReplicaConfiguration(of(lettuce))) {
            throw new LockConfigurationException(
                    "Locks can't be kept in a Redis with a fixed list of master and replicas (spring.data.redis.masterreplica):"
                            + " nothing tells the lock client when another node becomes the master",
                    "Use spring.data.redis.sentinel or spring.data.redis.cluster, or " + OWN_SOURCE);
        }
        return lettuce;
    }

    private static LockConfigurationException none(long count) {
        return count == 0
                ? new LockConfigurationException(
                        "Locks are kept in Redis, but there is no RedisConnectionFactory",
                        "Add spring-boot-starter-data-redis and set spring.data.redis.*, or " + OWN_SOURCE
                                + ". An application that runs as a single process can set distributed-lock.store=memory")
                : new LockConfigurationException(
                        "Locks are kept in Redis, but there are " + count
                                + " RedisConnectionFactory beans and none is primary",
                        "Mark the one for locks with @Primary, or " + OWN_SOURCE);
    }

    /**
     * The address, database and credentials that a factory was made from. Its getters do not tell: for a list of master and replicas, and for a
     * standalone Redis given to its most general constructor, they answer with localhost.
     */
    static RedisConfiguration of(LettuceConnectionFactory factory) {
        Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, CONFIGURATION);
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
            if (ReflectionUtils.getField(field, factory) instanceof RedisConfiguration configuration) {
                return configuration;
            }
        }
        throw new LockConfigurationException(
                "This version of Spring Data Redis does not tell where its LettuceConnectionFactory leads to",
                "Use a version that belongs to Spring Boot 3.5 or 4.1, or " + OWN_SOURCE);
    }
}
