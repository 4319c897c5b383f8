package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;

/**
 * Spring 7 pauses the context of a test class while another class runs, and restarts it for the next class that shares
 * it.
 */
class PausedTestContextTests {

    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @SpringBootTest(classes = ShopApplication.class, properties = "spring.application.name=first")
    static class First {
        @Autowired
        OrderService orders;

        @Autowired
        ConfigurableApplicationContext context;

        @DynamicPropertySource
        static void redis(DynamicPropertyRegistry registry) {
            registry.add("spring.data.redis.port", REDIS::port);
        }
    }

    @SpringBootTest(classes = ShopApplication.class, properties = "spring.application.name=second")
    static class Second {
        @DynamicPropertySource
        static void redis(DynamicPropertyRegistry registry) {
            registry.add("spring.data.redis.port", REDIS::port);
        }
    }

    @Test
    void locksWorkInATestClassThatComesBackToAPausedContext() throws Exception {
        First before = new First();
        run(First.class, before);
        assertThat(before.orders.tryPlace("42")).isPresent();
        run(Second.class, new Second());
        assertThat(before.context.isRunning()).isFalse();

        First after = new First();
        TestContextManager manager = run(First.class, after);
        assertThat(after.context).isSameAs(before.context);
        assertThat(after.orders.underLock("42", () -> OtherThread.call(() -> after.orders.tryPlace("42"))))
                .isEmpty();
        manager.getTestContext().markApplicationContextDirty(null);
    }

    private static TestContextManager run(Class<?> testClass, Object instance) throws Exception {
        TestContextManager manager = new TestContextManager(testClass);
        manager.beforeTestClass();
        manager.prepareTestInstance(instance);
        manager.afterTestClass();
        return manager;
    }
}
