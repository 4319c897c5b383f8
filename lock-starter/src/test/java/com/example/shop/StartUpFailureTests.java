package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.FencingToken;
import io.distributedlock.spring.LockConfigurationException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** What a user reads when a mistake stops the start. */
@ExtendWith(OutputCaptureExtension.class)
class StartUpFailureTests {

    private static final String MEMORY = "distributed-lock.store=memory";

    static class BadSyntax {
        @DistributedLock(key = "#userId +")
        public void pay(String userId) {}
    }

    @Test
    void anExpressionThatCannotBeRead(CapturedOutput output) {
        report(output, BadSyntax.class)
                .contains("@DistributedLock on com.example.shop.StartUpFailureTests$BadSyntax.pay(String):"
                        + " the key \"#userId +\" is not a SpEL expression")
                .contains("Correct the expression.");
    }

    static class UnknownParameter {
        @DistributedLock(key = "'order:' + #userld")
        public void pay(String userId) {}
    }

    @Test
    void aParameterThatDoesNotExist(CapturedOutput output) {
        report(output, UnknownParameter.class)
                .contains("UnknownParameter.pay(String): the key \"'order:' + #userld\" uses #userld,"
                        + " which is no parameter of the method.")
                .contains("Use one of its parameters (#userId), or #root.");
    }

    @Test
    void aClassWithoutParameterNames(@TempDir Path folder, CapturedOutput output) {
        report(output, WithoutParameterNames.compile(folder))
                .contains("@DistributedLock on Nameless.pay(String, long): the key \"'order:' + #userId\" uses #userId,"
                        + " but Nameless was compiled without -parameters")
                .contains("Compile it with -parameters");
    }

    @Test
    void aConnectionFactoryThatLocksCannotUse(CapturedOutput output) {
        report(output, Object.class, "distributed-lock.store=redis", "spring.data.redis.client-type=jedis")
                .contains("Locks need a LettuceConnectionFactory, but the application's RedisConnectionFactory is a "
                        + "org.springframework.data.redis.connection.jedis.JedisConnectionFactory.")
                .contains("Use Lettuce (io.lettuce:lettuce-core, and no spring.data.redis.client-type=jedis)");
    }

    static class BadDuration {
        @DistributedLock(key = "#userId", ttl = "abc")
        public void pay(String userId) {}
    }

    @Test
    void aTextThatIsNoDuration(CapturedOutput output) {
        report(output, BadDuration.class)
                .contains("BadDuration.pay(String): ttl = \"abc\" is not a duration.")
                .contains("Write it like \"10s\", \"500ms\" or \"PT10S\"");
    }

    static class TooShort {
        @DistributedLock(key = "#userId", ttl = "${hold}")
        public void pay(String userId) {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "-1s", "10ms"})
    void aTtlThatNoLeaseCanHave(String ttl, CapturedOutput output) {
        report(output, TooShort.class, "hold=" + ttl)
                .contains("TooShort.pay(String): A lock's ttl must be from 50ms to 365d");
    }

    @Test
    void aPlaceholderWithoutAProperty(CapturedOutput output) {
        report(output, TooShort.class)
                .contains("TooShort.pay(String): ttl = \"${hold}\" has no value.")
                .contains("Define the property that its placeholder names");
    }

    static class UnknownPolicy {
        @DistributedLock(key = "#userId", policy = "databse")
        public void pay(String userId) {}
    }

    @Test
    void aPolicyThatDoesNotExist(CapturedOutput output) {
        report(output, UnknownPolicy.class, "distributed-lock.policies.database.ttl=2s")
                .contains("UnknownPolicy.pay(String): its lock policy 'databse' does not exist.")
                .contains(
                        "The policies are database. Correct the name, or define it in distributed-lock.policies.databse");
    }

    static class SeveralKeys {
        @DistributedLock(key = {"#from", ""})
        public void move(String from, String to) {}
    }

    @Test
    void severalKeys(CapturedOutput output) {
        report(output, SeveralKeys.class)
                .contains("SeveralKeys.move(String, String): one of its keys is blank.")
                .contains("Add key = \"#argument\"");
    }

    static class NoKey {
        @DistributedLock
        public void pay(String userId) {}
    }

    @Test
    void noKey(CapturedOutput output) {
        report(output, NoKey.class)
                .contains("NoKey.pay(String): it has no key, so that all calls would share one lock.");
    }

    static class Later {
        @DistributedLock(key = "#userId")
        public Future<String> pay(String userId) {
            return CompletableFuture.completedFuture(userId);
        }
    }

    @Test
    void aResultWhoseEndCannotBeSeen(CapturedOutput output) {
        report(output, Later.class)
                .contains("Later.pay(String): it returns Future, of which nobody is told when it is complete")
                .contains("Return CompletableFuture or CompletionStage, or add @Async");
    }

    @Test
    void aTtlTooShortForItsCommandTimeout(CapturedOutput output) {
        report(output, Object.class, "distributed-lock.ttl=2s", "distributed-lock.redis.command-timeout=1s")
                .contains("distributed-lock.redis.command-timeout is 1s, but it must be at most a third of"
                        + " distributed-lock.ttl, which is 2s")
                .contains("raise distributed-lock.ttl to 3s or more.");
    }

    @Test
    void aPropertyThatIsNoDuration(CapturedOutput output) {
        report(output, Object.class, "distributed-lock.ttl=abc")
                .contains("Property: distributed-lock.ttl")
                .contains("Value: \"abc\"");
    }

    static class TokenAsKey {
        @DistributedLock(key = "'order:' + #p1")
        public void pay(String userId, @FencingToken long token) {}
    }

    @Test
    void aKeyThatNeedsTheTokenOfItsOwnLock(CapturedOutput output) {
        report(output, TokenAsKey.class)
                .contains("TokenAsKey.pay(String, long): the key \"'order:' + #p1\" uses #p1, the @FencingToken,"
                        + " which is known only once the lock is held.");
    }

    static class TokenAsText {
        @DistributedLock(key = "#userId")
        public void pay(String userId, @FencingToken String token) {}
    }

    @Test
    void aTokenThatIsNoNumber(CapturedOutput output) {
        report(output, TokenAsText.class)
                .contains("its @FencingToken parameter is of the type String, but a token is a long.")
                .contains("Declare the parameter as long.");
    }

    @Test
    void anEvenNumberOfQuorumNodes(CapturedOutput output) {
        report(
                        output,
                        Object.class,
                        "distributed-lock.store=quorum",
                        "distributed-lock.quorum.urls=redis://a,redis://b,redis://c,redis://:open-sesame@d")
                .contains("distributed-lock.quorum.urls names 4 Redis masters, but a quorum needs an odd number")
                .contains("Remove one or add one.")
                .doesNotContain("open-sesame");
    }

    @Test
    void aStoreThatDoesNotExist(CapturedOutput output) {
        report(output, Object.class, "distributed-lock.store=floppy")
                .contains("Property: distributed-lock.store")
                .contains("Value: \"floppy\"");
    }

    static class LockedStart {
        @Bean
        ApplicationRunner start(LockTemplate template) {
            return arguments -> template.run("start", lock -> {});
        }
    }

    @Test
    void noRedisWhenALockIsNeededDuringTheStart(CapturedOutput output) {
        report(
                        output,
                        LockedStart.class,
                        "distributed-lock.store=redis",
                        "spring.data.redis.port=1",
                        "distributed-lock.wait-time=1s")
                .contains("A lock was needed during the start. Lock 'default:start' could not be asked for")
                .contains("Start Redis, or correct its address and credentials in spring.data.redis.*");
    }

    @Lazy
    static class LazyMistake {
        @DistributedLock(key = "#userld")
        public void pay(String userId) {}
    }

    @Test
    void aLazyBeanIsCheckedWhenItIsCreated() {
        try (var shop = ShopApplication.start(new Class<?>[] {LazyMistake.class}, MEMORY)) {
            assertThatException()
                    .isThrownBy(() -> shop.getBean(LazyMistake.class))
                    .withRootCauseInstanceOf(LockConfigurationException.class);
        }
    }

    private static AbstractStringAssert<?> report(CapturedOutput output, Class<?> source, String... properties) {
        boolean chosen = Arrays.stream(properties).anyMatch(property -> property.startsWith("distributed-lock.store"));
        String[] all = Stream.concat(chosen ? Stream.empty() : Stream.of(MEMORY), Arrays.stream(properties))
                .toArray(String[]::new);
        assertThatException()
                .isThrownBy(() ->
                        ShopApplication.start(new Class<?>[] {source}, all).close());
        assertThat(output).contains("APPLICATION FAILED TO START");
        return assertThat(output.toString()).contains("Action:");
    }
}
