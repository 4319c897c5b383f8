package com.example.shop.embedded;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Points Spring's Redis connection at an embedded server, which so starts before all who connect to it and stops after
 * them.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(NoRedisConfigured.class)
class EmbeddedRedisConfiguration {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedisConfiguration.class);

    @Bean
    EmbeddedRedis embeddedRedis() {
        EmbeddedRedis redis = EmbeddedRedis.start();
        log.info(
                "Started an embedded Redis at redis://127.0.0.1:{}, for trying out only: it ends with this process"
                        + " and keeps nothing."
                        + " Set spring.data.redis.url to use your own.",
                redis.port());
        return redis;
    }

    @Bean
    DataRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedis redis) {
        DataRedisConnectionDetails.Standalone address =
                DataRedisConnectionDetails.Standalone.of("127.0.0.1", redis.port());
        return new DataRedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return address;
            }
        };
    }
}
