package com.example.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedRedisTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, EmbeddedRedisAutoConfiguration.class));

    /** What is known of a server that a context started. */
    private record Started(long pid, Path folder) {

        static Started in(StringRedisTemplate redis) {
            return new Started(
                    Long.parseLong(
                            ask(redis, commands -> commands.info("server")).getProperty("process_id")),
                    Path.of(config(redis, "dir")));
        }
    }

    @Test
    void itServesAnApplicationWithoutAnyConfigurationAndSaysSo(CapturedOutput log) {
        runner.run(context -> {
            StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
            redis.opsForValue().set("greeting", "hello");

            assertThat(redis.opsForValue().get("greeting")).isEqualTo("hello");
            int port = context.getBean(EmbeddedRedis.class).port();
            assertThat(log).contains("embedded Redis at redis://127.0.0.1:" + port, "spring.data.redis.url");
        });
    }

    @Test
    void repliesCanBeLostAndConnectionsAreResetAfterwards() {
        runner.withPropertyValues("spring.data.redis.timeout=1s").run(context -> {
            StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
            RedisLine line = context.getBean(RedisLine.class);
            // On a busy machine the first connection can take longer than the time-out that the lost reply needs.
            await().ignoreExceptions().untilAsserted(() -> redis.opsForValue().set("before", "there"));

            line.loseReplies();
            assertThatThrownBy(() -> redis.opsForValue().set("lost", "reply")).isInstanceOf(DataAccessException.class);
            line.restore();

            await().ignoreExceptions()
                    .until(() -> "reply".equals(redis.opsForValue().get("lost")));
        });
    }

    @Test
    void itEndsWithItsApplicationAndLeavesNothingBehind() {
        runner.run(context -> {
            Started started = Started.in(context.getBean(StringRedisTemplate.class));
            assertThat(ProcessHandle.of(started.pid())).isPresent();
            assertThat(started.folder()).exists();

            context.close();

            assertThat(ProcessHandle.of(started.pid())).isNotPresent();
            assertThat(started.folder()).doesNotExist();
        });
    }

    @Test
    void itListensOnLoopbackOnlyAndKeepsNothingOnDisk() {
        runner.run(context -> {
            StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);

            assertThat(config(redis, "bind")).isEqualTo("127.0.0.1");
            assertThat(config(redis, "save")).isEmpty();
            assertThat(config(redis, "appendonly")).isEqualTo("no");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.url=redis://127.0.0.1:6379",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=6379",
                "spring.data.redis.sentinel.master=shop",
                "spring.data.redis.cluster.nodes[0]=127.0.0.1:7000",
                "spring.data.redis.cluster.nodes=127.0.0.1:7000,127.0.0.1:7001",
                "spring.data.redis.masterreplica.nodes=127.0.0.1:6379",
            })
    void itStaysAwayWhereARedisIsConfigured(String property) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class))
                .withPropertyValues(property)
                .run(context -> assertThat(context).doesNotHaveBean(EmbeddedRedis.class));
    }

    @Test
    void itStaysAwayWhereTheEnvironmentNamesARedis() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("SPRING_DATA_REDIS_URL", "redis://127.0.0.1:6379"))))
                .run(context -> assertThat(context).doesNotHaveBean(EmbeddedRedis.class));
    }

    @Test
    void aTimeoutIsNoAddress() {
        runner.withPropertyValues("spring.data.redis.timeout=2s")
                .run(context -> assertThat(context).hasSingleBean(EmbeddedRedis.class));
    }

    private static String config(StringRedisTemplate redis, String parameter) {
        return ask(redis, commands -> commands.getConfig(parameter)).getProperty(parameter);
    }

    private static Properties ask(StringRedisTemplate redis, Function<RedisServerCommands, Properties> question) {
        return redis.execute((RedisCallback<Properties>) connection -> question.apply(connection.serverCommands()));
    }
}
