package com.example.redis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Starts a redis-server where no Redis is configured, and points Spring's Redis connection at it. The server starts
 * before the beans that connect to it and stops after them.
 */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
@Conditional(NoRedisConfigured.class)
public final class EmbeddedRedisAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedisAutoConfiguration.class);

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
    RedisLine embeddedRedisLine(EmbeddedRedis redis) {
        return RedisLine.to(redis.port());
    }

    @Bean
    DataRedisConnectionDetails embeddedRedisConnectionDetails(RedisLine line) {
        DataRedisConnectionDetails.Standalone address =
                DataRedisConnectionDetails.Standalone.of("127.0.0.1", line.port());
        return new DataRedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return address;
            }
        };
    }
}
