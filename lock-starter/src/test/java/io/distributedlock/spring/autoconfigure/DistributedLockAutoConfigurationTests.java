package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockListener;
import io.distributedlock.LockLostException;
import io.distributedlock.LockTemplate;
import io.distributedlock.LossReason;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;

class DistributedLockAutoConfigurationTests {

    @Test
    void clientTemplateAndAdviceAreThereOnRedisUnlessTheApplicationSaysOtherwise() {
        Contexts.withRedis()
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockClient.class)
                        .hasSingleBean(LockTemplate.class)
                        .hasSingleBean(RedisLockStore.class)
                        .hasSingleBean(RedisLockConnection.class)
                        .hasSingleBean(LockLifecycle.class)
                        .hasSingleBean(DistributedLockAdvisor.class));
    }

    @Test
    void theMemoryStoreNeedsNoRedis() {
        Contexts.withMemory().run(context -> {
            assertThat(context)
                    .hasSingleBean(InMemoryLockStore.class)
                    .hasSingleBean(LockLifecycle.class)
                    .doesNotHaveBean(RedisLockConnection.class);
            context.getBean(LockTemplate.class)
                    .run("42", lock -> assertThat(lock.isHeld()).isTrue());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off"})
    void switchedOffThereIsNoBeanOfOurs(String off) {
        Contexts.withRedis()
                .withPropertyValues("distributed-lock.enabled=" + off)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(ourBeans(context)).isEmpty();
                });
    }

    private static List<String> ourBeans(ApplicationContext context) {
        return Arrays.stream(context.getBeanDefinitionNames())
                .filter(name -> String.valueOf(context.getType(name)).contains("io.distributedlock"))
                .toList();
    }

    @Test
    void withoutTheAspectTheTemplateIsStillThere() {
        Contexts.withMemory()
                .withPropertyValues("distributed-lock.aspect.enabled=false")
                .withBean(Locked.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(LockTemplate.class).doesNotHaveBean(DistributedLockAdvisor.class);
                    assertThat(AopUtils.isAopProxy(context.getBean(Locked.class)))
                            .isFalse();
                });
    }

    static class Locked {
        @DistributedLock(key = "#id")
        public void pay(String id) {}
    }

    @Test
    void aStoreOfTheApplicationIsUsedAndNoRedisIsNeeded() {
        Contexts.ours().withBean("own", LockStore.class, InMemoryLockStore::new).run(context -> {
            assertThat(context).hasSingleBean(LockStore.class).doesNotHaveBean(RedisLockConnection.class);
            try (var lock = context.getBean(LockClient.class).acquire("42")) {
                assertThat(lock.isHeld()).isTrue();
            }
        });
    }

    @Test
    void aClientOfTheApplicationIsUsedAndNoStoreIsMade() {
        LockClient own = LockClient.builder(new InMemoryLockStore()).build();
        Contexts.ours().withBean("own", LockClient.class, () -> own).run(context -> {
            assertThat(context).doesNotHaveBean(LockStore.class).hasSingleBean(LockTemplate.class);
            assertThat(context.getBean(LockClient.class)).isSameAs(own);
            context.getBean(LockTemplate.class)
                    .run("42", lock -> assertThat(own.held()).hasSize(1));
        });
    }

    @Test
    void aTemplateOfTheApplicationIsTheOneThatLockedMethodsUse() {
        LockClient other = LockClient.builder(new InMemoryLockStore()).build();
        Contexts.withMemory()
                .withBean("own", LockTemplate.class, () -> new LockTemplate(other))
                .withBean(Watched.class, () -> new Watched(other))
                .run(context -> {
                    assertThat(context).hasSingleBean(LockTemplate.class);
                    assertThat(context.getBean(Watched.class).heldInside("42")).isOne();
                });
        other.close();
    }

    static class Watched {
        private final LockClient client;

        Watched(LockClient client) {
            this.client = client;
        }

        @DistributedLock(key = "#id")
        public int heldInside(String id) {
            return client.held().size();
        }
    }

    @Test
    void anAdvisorOfTheApplicationReplacesOurs() {
        Contexts.withMemory()
                .withBean("own", DistributedLockAdvisor.class, () -> null)
                .run(context -> assertThat(context).doesNotHaveBean("distributedLockAdvisor"));
    }

    @Test
    void aSourceOfRedisClientsOfTheApplicationIsUsedWithoutAConnectionFactory() {
        Contexts.ours()
                .withBean(
                        "own",
                        RedisClientSource.class,
                        () -> RedisClientSource.of(RedisURI.create("redis://127.0.0.1:1")))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RedisLockStore.class));
    }

    @Test
    void connectionsOfTheApplicationAreUsed() {
        RedisLockConnection own = new RedisLockConnection(
                RedisClientSource.of(RedisURI.create("redis://127.0.0.1:1")), Duration.ofSeconds(1));
        Contexts.withRedis()
                .withBean("own", RedisLockConnection.class, () -> own)
                .run(context -> {
                    assertThat(context).hasSingleBean(RedisLockStore.class);
                    assertThat(context.getBean(RedisLockConnection.class)).isSameAs(own);
                });
    }

    @Test
    void theSettingsReachTheClient() {
        Contexts.withMemory().withPropertyValues("distributed-lock.wait-time=0").run(context -> {
            LockClient client = context.getBean(LockClient.class);
            client.acquire("42");
            assertThat(client.tryAcquire("42")).isEmpty();
        });
    }

    @Test
    void theLimitForHoldersReachesTheClient() {
        Contexts.withMemory()
                .withPropertyValues("distributed-lock.max-hold=60ms")
                .run(context -> {
                    LockHandle held = context.getBean(LockClient.class).acquire("42");
                    assertThat(held.lost().toCompletableFuture().get(60, TimeUnit.SECONDS))
                            .isEqualTo(LossReason.MAX_HOLD);
                });
    }

    static class Slow {
        @DistributedLock(key = "#id", maxHold = "60ms")
        public String work(String id) {
            try {
                return new CompletableFuture<String>().get(60, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                return "interrupted";
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aMethodCanBeInterruptedWhenItsLockIsLost() {
        Contexts.withMemory()
                .withBean(Slow.class)
                .withPropertyValues("distributed-lock.aspect.interrupt-on-loss=true")
                .run(context -> assertThatExceptionOfType(LockLostException.class)
                        .isThrownBy(() -> context.getBean(Slow.class).work("42"))
                        .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.MAX_HOLD)));
    }

    @Test
    void allListenersAreToldInTheirOrder() {
        List<String> told = new CopyOnWriteArrayList<>();
        Contexts.withMemory()
                .withBean(Second.class, () -> new Second(told))
                .withBean(First.class, () -> new First(told))
                .run(context -> {
                    context.getBean(LockClient.class).acquire("42");
                    await().until(() -> told.size() == 2);
                    assertThat(told).containsExactly("first Acquired", "second Acquired");
                });
    }

    @Order(1)
    record First(List<String> told) implements LockListener {
        @Override
        public void on(LockEvent event) {
            told.add("first " + event.getClass().getSimpleName());
        }
    }

    @Order(2)
    record Second(List<String> told) implements LockListener {
        @Override
        public void on(LockEvent event) {
            told.add("second " + event.getClass().getSimpleName());
        }
    }
}
