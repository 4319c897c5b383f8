package io.distributedlock.spring.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.spring.autoconfigure.Contexts;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
class RedisSelfCheckTests {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String ALL_BUT_PEXPIRE =
            "+eval +evalsha +set +get +getex +del +pttl +time +client|info +client|kill +hello";

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private ApplicationContextRunner contexts() {
        return Contexts.withRedis().withPropertyValues("spring.data.redis.port=" + server.port());
    }

    @Test
    void aMissingRightIsNamedInTheLog(CapturedOutput output) {
        List<String> rules = List.of((ALL_BUT_PEXPIRE + " ~lock:*").split(" "));
        server.command(Stream.concat(Stream.of("ACL", "SETUSER", "locks", "reset", "on", ">secret"), rules.stream())
                .toArray(String[]::new));
        contexts()
                .withPropertyValues("spring.data.redis.username=locks", "spring.data.redis.password=secret")
                .run(context ->
                        await().atMost(LIMIT).until(() -> output.getOut().contains("ACL SETUSER <user> +pexpire")));
    }

    @Test
    void aServerThatEvictsIsReportedOnceHoweverOftenItIsConnected(CapturedOutput output) {
        server.command("CONFIG", "SET", "maxmemory", "100mb");
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        contexts().run(context -> {
            await().atMost(LIMIT).until(() -> output.getOut().contains("maxmemory-policy allkeys-lru"));
            server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            await().atMost(LIMIT).ignoreExceptions().until(() -> {
                context.getBean(LockClient.class).acquire("42").release();
                return true;
            });
            assertThat(output.getOut()).containsOnlyOnce("maxmemory-policy allkeys-lru");
        });
    }

    @Test
    void aRedisThatIsAwayDoesNotStopTheStartAndIsAskedWhenItIsBack(CapturedOutput output) {
        RedisServer away = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru");
        away.kill();
        contexts().withPropertyValues("spring.data.redis.port=" + away.port()).run(context -> {
            assertThat(context).hasNotFailed();
            away.restart();
            await().atMost(LIMIT).ignoreExceptions().until(() -> {
                context.getBean(LockClient.class).acquire("42").release();
                return true;
            });
            await().atMost(LIMIT).until(() -> output.getOut().contains("maxmemory-policy volatile-lru"));
        });
        away.close();
    }

    @Test
    void itCanBeSwitchedOff() {
        contexts()
                .withPropertyValues("distributed-lock.redis.self-test=false")
                .run(context -> assertThat(context).doesNotHaveBean(RedisSelfCheck.class));
        contexts().run(context -> assertThat(context).hasSingleBean(RedisSelfCheck.class));
    }
}
