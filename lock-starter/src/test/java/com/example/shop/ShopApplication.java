package com.example.shop;

import java.util.Arrays;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
class ShopApplication {

    /** Starts the application with properties such as {@code "distributed-lock.ttl=10s"}. */
    static ConfigurableApplicationContext start(String... properties) {
        return start(new Class<?>[0], properties);
    }

    static ConfigurableApplicationContext start(Class<?>[] more, String... properties) {
        return new SpringApplicationBuilder(ShopApplication.class)
                .sources(more)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties("distributed-lock.redis.command-timeout=5s")
                .run(Arrays.stream(properties).map(property -> "--" + property).toArray(String[]::new));
    }
}
