package io.distributedlock.spring.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.LockConnectionFactory;
import io.distributedlock.spring.autoconfigure.Contexts;
import io.lettuce.core.ClientOptions;
import java.util.List;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisTargetTests {

    @Test
    void everyKindOfTargetIsTakenOver() {
        RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration("redis.test", 7);
        standalone.setDatabase(3);
        standalone.setUsername("locks");
        standalone.setPassword("secret");
        assertThat(RedisTarget.of(new LettuceConnectionFactory(standalone))).isSameAs(standalone);
        assertTakenOver(new RedisSentinelConfiguration().master("shop").sentinel("redis.test", 7));
        assertTakenOver(new RedisClusterConfiguration().clusterNode("redis.test", 7));
        assertTakenOver(new RedisSocketConfiguration("redis.sock"));
    }

    private static void assertTakenOver(RedisConfiguration configuration) {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(configuration, LettuceClientConfiguration.defaultConfiguration());
        assertThat(RedisTarget.of(factory)).isSameAs(configuration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.url=redis://user:secret@redis.test:7/3",
                "spring.data.redis.sentinel.nodes=redis.test:7|spring.data.redis.sentinel.master=shop",
                "spring.data.redis.cluster.nodes=redis.test:7,redis.test:8"
            })
    void aTargetThatLocksCanBeKeptInIsAcceptedWithoutAConnection(String properties) {
        Contexts.withRedis()
                .withPropertyValues(properties.split("\\|"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RedisLockStore.class));
    }

    @Test
    void aFixedListOfMasterAndReplicasIsRefused() {
        Contexts.withRedis()
                .withPropertyValues("spring.data.redis.masterreplica.nodes=redis.test:7,redis.test:8")
                .run(context -> failure(context)
                        .contains("Locks can't be kept in a Redis with a fixed list of master and replicas")
                        .contains("Use spring.data.redis.sentinel or spring.data.redis.cluster"));
    }

    @Test
    void aConfigurationOfMasterAndReplicasIsRefused() {
        Contexts.withRedis()
                .withBean(RedisStaticMasterReplicaConfiguration.class, "redis.test")
                .run(context -> failure(context)
                        .contains("Locks can't be kept in a Redis with a fixed list of master and replicas"));
    }

    /** None of its getters tells the user, and the one for its configuration answers with localhost. */
    @Test
    void aStandaloneRedisBehindTheMostGeneralConstructorIsRefused() {
        RedisStandaloneConfiguration elsewhere = new RedisStandaloneConfiguration("redis.test");
        RedisStandaloneConfiguration anotherDatabase = new RedisStandaloneConfiguration();
        anotherDatabase.setDatabase(1);
        RedisStandaloneConfiguration withPassword = new RedisStandaloneConfiguration();
        withPassword.setPassword("secret");
        for (RedisConfiguration hidden :
                List.of(elsewhere, new RedisStandaloneConfiguration("localhost", 7), anotherDatabase, withPassword)) {
            Contexts.ours()
                    .withBean(RedisConnectionFactory.class, () -> new LettuceConnectionFactory(hidden))
                    .run(context -> failure(context)
                            .contains("does not tell where it leads to")
                            .contains("Make it by the constructor that takes a RedisStandaloneConfiguration"));
        }
    }

    @Test
    void anApplicationOnJedisIsAccepted() {
        Contexts.withRedis()
                .withPropertyValues("spring.data.redis.client-type=jedis", "spring.data.redis.host=redis.test")
                .run(context ->
                        assertThat(context.getBean(RedisClientSource.class)).hasToString("Redis at redis.test:1"));
    }

    @Test
    void anotherDriverIsRefused() {
        Contexts.ours()
                .withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                .run(context -> failure(context)
                        .contains("Locks need a LettuceConnectionFactory or a JedisConnectionFactory")
                        .contains("or set distributed-lock.redis.url"));
    }

    @Test
    void aMissingFactoryIsRefused() {
        Contexts.ours()
                .run(context -> failure(context)
                        .contains("Locks are kept in Redis, but there is no RedisConnectionFactory")
                        .contains("Add spring-boot-starter-data-redis and set spring.data.redis.*")
                        .contains("distributed-lock.store=memory"));
    }

    @Test
    void severalFactoriesWithoutAPrimaryOneAreRefused() {
        Contexts.ours()
                .withBean("one", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .withBean("two", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .run(context -> failure(context)
                        .contains("there are 2 RedisConnectionFactory beans and none is primary")
                        .contains("Mark the one for locks with @LockConnectionFactory or @Primary"));
    }

    @Test
    void amongSeveralFactoriesThePrimaryOneIsTaken() {
        Contexts.ours()
                .withBean("one", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                .withBean(
                        "two",
                        RedisConnectionFactory.class,
                        LettuceConnectionFactory::new,
                        definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aFactoryBehindAProxyIsFound() {
        ProxyFactory proxy = new ProxyFactory(
                new LettuceConnectionFactory(new RedisClusterConfiguration().clusterNode("redis.test", 7)));
        proxy.setProxyTargetClass(true);
        Contexts.ours()
                .withBean("traced", RedisConnectionFactory.class, () -> (RedisConnectionFactory) proxy.getProxy())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    LettuceConnectionFactory found = RedisTarget.factory(
                            new DefaultListableBeanFactory().getBeanProvider(RedisConnectionFactory.class),
                            context.getBeanProvider(RedisConnectionFactory.class),
                            context.getBean(LockCredentials.class),
                            ClientOptions::create);
                    assertThat(RedisTarget.of(found)).isInstanceOf(RedisClusterConfiguration.class);
                });
    }

    @Test
    void theFactoryThatIsMarkedForLocksIsTakenAmongSeveral() {
        Contexts.ours()
                .withUserConfiguration(TwoFactories.class)
                .run(context ->
                        assertThat(context.getBean(RedisClientSource.class)).hasToString("Redis at locks.test:7"));
    }

    @Test
    void anAddressOfItsOwnNeedsNoFactoryAndShowsNoPassword() {
        Contexts.ours()
                .withPropertyValues("distributed-lock.redis.url=redis://user:secret@locks.test:7/2")
                .run(context ->
                        assertThat(context.getBean(RedisClientSource.class)).hasToString("Redis at locks.test:7"));
    }

    @Test
    void anAddressOfItsOwnThatIsNoneStopsTheStart() {
        Contexts.ours()
                .withPropertyValues("distributed-lock.redis.url=http://user:secret@locks.test")
                .run(context ->
                        failure(context).contains("distributed-lock.redis.url").doesNotContain("secret"));
    }

    @Test
    void aBundleForAnAddressWithoutTlsStopsTheStart() {
        Contexts.ours()
                .withPropertyValues(
                        "distributed-lock.redis.url=redis://locks.test", "distributed-lock.redis.ssl-bundle=locks")
                .run(context -> failure(context)
                        .contains("distributed-lock.redis.ssl-bundle is set, but no address in"
                                + " distributed-lock.redis.url uses TLS")
                        .contains("Write rediss://"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoFactories {

        @Bean
        RedisConnectionFactory cache() {
            return new LettuceConnectionFactory("cache.test", 6);
        }

        @Bean
        @LockConnectionFactory
        RedisConnectionFactory locks() {
            return new LettuceConnectionFactory("locks.test", 7);
        }
    }

    private static AbstractStringAssert<?> failure(AssertableApplicationContext context) {
        return assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(LockConfigurationException.class)
                .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING);
    }
}
