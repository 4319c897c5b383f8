package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

class TwoApplicationsTests {

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void applicationsOnOneRedisExcludeEachOther() throws Exception {
        try (ConfigurableApplicationContext first = start();
                ConfigurableApplicationContext second = start()) {
            OrderService here = first.getBean(OrderService.class);
            OrderService there = second.getBean(OrderService.class);
            assertThat(here.underLock("42", () -> there.tryPlace("42"))).isEmpty();
            assertThat(there.underLock("42", () -> here.tryPlace("42"))).isEmpty();
            assertThat(there.tryPlace("42")).isPresent();
        }
    }

    @Test
    void applicationsWithDifferentPrefixesDoNotKnowEachOther() throws Exception {
        try (ConfigurableApplicationContext first = start();
                ConfigurableApplicationContext second = start("distributed-lock.key-prefix=other")) {
            OrderService here = first.getBean(OrderService.class);
            OrderService there = second.getBean(OrderService.class);
            assertThat(here.underLock("42", () -> there.tryPlace("42"))).isPresent();
            there.underLock("42", () -> redis.command("SET", "seen", redis.command("EXISTS", "other:{order:42}") + ""));
            assertThat(redis.command("GET", "seen")).isEqualTo("1");
        }
    }

    private ConfigurableApplicationContext start(String... more) {
        String[] properties = new String[more.length + 1];
        System.arraycopy(more, 0, properties, 1, more.length);
        properties[0] = "spring.data.redis.port=" + redis.port();
        return ShopApplication.start(properties);
    }
}
