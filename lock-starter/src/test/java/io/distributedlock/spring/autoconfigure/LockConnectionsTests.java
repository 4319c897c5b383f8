package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.testkit.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

class LockConnectionsTests {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CONNECTIONS = "distributedLockConnections";

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private ApplicationContextRunner contexts() {
        return Contexts.withRedis().withPropertyValues("spring.data.redis.port=" + server.port());
    }

    private static ConfigurableListableBeanFactory beans(AssertableApplicationContext context) {
        return ((ConfigurableApplicationContext) context.getSourceApplicationContext()).getBeanFactory();
    }

    /** Connections of ours have a name of their own at the server. */
    private boolean isConnected() {
        return String.valueOf(server.command("CLIENT", "LIST")).contains("name=distributed-lock");
    }

    @Test
    void noStartWaitsForTheStore() {
        contexts().run(context -> {
            assertThat(beans(context)
                            .getBeanDefinition(DistributedLockAutoConfiguration.STORE)
                            .isLazyInit())
                    .isTrue();
            assertThat(beans(context).getBeanDefinition(CONNECTIONS).isLazyInit())
                    .isTrue();
        });
    }

    @Test
    void theConnectionIsOpenedInTheBackgroundThoughNobodyWantsALock() {
        contexts().run(context -> await().atMost(LIMIT).until(this::isConnected));
    }

    @Test
    void theFirstLockDoesNotWaitForThat() {
        contexts().run(context -> {
            context.getBean(LockClient.class).acquire("42").release();
            assertThat(isConnected()).isTrue();
        });
    }

    @Test
    void aContextThatIsStoppedHasNoConnectionAndOneThatIsStartedAgainHasOne() {
        contexts().run(context -> {
            ConfigurableApplicationContext application =
                    (ConfigurableApplicationContext) context.getSourceApplicationContext();
            await().atMost(LIMIT).until(this::isConnected);
            application.stop();
            await().atMost(LIMIT).until(() -> !isConnected());
            application.start();
            await().atMost(LIMIT).until(this::isConnected);
            context.getBean(LockClient.class).acquire("42").release();
        });
    }

    @Test
    void aClientThatHasNeverBeenUsedIsClosedWithoutMakingAStore() {
        ConfigurableListableBeanFactory[] beans = new ConfigurableListableBeanFactory[1];
        contexts().withPropertyValues("spring.data.redis.port=1").run(context -> {
            beans[0] = beans(context);
            context.getBean(LockLifecycle.class).stop();
        });
        assertThat(beans[0].containsSingleton(DistributedLockAutoConfiguration.STORE))
                .isFalse();
    }
}
