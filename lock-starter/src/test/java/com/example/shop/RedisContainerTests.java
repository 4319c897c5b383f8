package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.redis.testcontainers.RedisContainer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.test.annotation.DirtiesContext;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The connection details come from a container; without Docker this test is skipped, and says so. */
@Testcontainers(disabledWithoutDocker = true)
@SpringBootTest(classes = ShopApplication.class)
@DirtiesContext
class RedisContainerTests {

    @Container
    @ServiceConnection
    static final RedisContainer REDIS = new RedisContainer("redis:7.4-alpine");

    @Autowired
    private OrderService orders;

    @Test
    void locksUseTheConnectionDetailsOfAContainer() throws Exception {
        assertThat(orders.underLock("42", () -> OtherThread.call(() -> orders.tryPlace("42"))))
                .isEmpty();
        assertThat(orders.tryPlace("42")).isPresent();
    }
}
