package com.example.shop;

import static com.example.shop.FailedStart.report;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.FencingToken;
import io.distributedlock.spring.LockConfigurationException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;

/** What a user reads when a mistake in an annotation stops the start. */
@ExtendWith(OutputCaptureExtension.class)
class StartUpFailureTests {

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
                .contains("Later.pay(String): it returns Future, whose completion cannot be observed")
                .contains("Return CompletableFuture or CompletionStage, or add @Async");
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

    @Lazy
    static class LazyMistake {
        @DistributedLock(key = "#userld")
        public void pay(String userId) {}
    }

    @Test
    void aLazyBeanIsCheckedWhenItIsCreated() {
        try (var shop = ShopApplication.start(new Class<?>[] {LazyMistake.class}, FailedStart.MEMORY)) {
            assertThatException()
                    .isThrownBy(() -> shop.getBean(LazyMistake.class))
                    .withRootCauseInstanceOf(LockConfigurationException.class);
        }
    }
}
