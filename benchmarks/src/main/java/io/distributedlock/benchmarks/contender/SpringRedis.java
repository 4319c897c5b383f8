package io.distributedlock.benchmarks.contender;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections as Spring Boot makes them: one shared connection over Lettuce, with Lettuce's own defaults but for the
 * command timeout.
 */
public final class SpringRedis {

    private SpringRedis() {}

    public static LettuceConnectionFactory connect(int port, Terms terms) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(terms.commandTimeout())
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
