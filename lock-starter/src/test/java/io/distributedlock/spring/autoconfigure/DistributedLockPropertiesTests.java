package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.ReleaseMode;
import io.distributedlock.redis.ScriptUse;
import io.distributedlock.spring.IdentityDetail;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Aspect;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Redis;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Shutdown;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Store;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Transaction;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Waiting;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties.Web;
import io.distributedlock.spring.autoconfigure.properties.LockMetricsProperties;
import io.distributedlock.spring.autoconfigure.properties.LockPolicyProperties;
import io.distributedlock.spring.autoconfigure.properties.LockPolicyProperties.Adaptive;
import io.distributedlock.spring.autoconfigure.properties.LocksEndpointProperties;
import io.distributedlock.spring.transaction.InsideTransaction;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.env.MockEnvironment;

class DistributedLockPropertiesTests {

    private static final LockPolicyProperties DATABASE = new LockPolicyProperties(
            Duration.ofSeconds(2),
            false,
            Duration.ofSeconds(3),
            Duration.ofMinutes(1),
            Set.of("orders", "Invoice*"),
            null);

    private static final LockPolicyProperties REPORT = new LockPolicyProperties(
            null, true, null, null, Set.of(), new Adaptive(Duration.ofMillis(200), Duration.ofSeconds(20), 0.9, 2));

    @Test
    void everyPropertyArrives() {
        assertThat(bind(PropertySamples.ALL))
                .isEqualTo(new DistributedLockProperties(
                        false,
                        Store.MEMORY,
                        "shop:lock",
                        Duration.ofSeconds(7),
                        Duration.ofMinutes(2),
                        Duration.ofHours(1),
                        Duration.ofSeconds(3),
                        Duration.ofMinutes(10),
                        ReleaseMode.PIPELINED,
                        IdentityDetail.APPLICATION,
                        new Waiting(false, 7, 60_000),
                        Map.of("database", DATABASE, "report", REPORT),
                        new Redis(
                                Duration.ofMillis(250),
                                2,
                                Duration.ofMillis(50),
                                false,
                                ScriptUse.NEVER,
                                false,
                                true,
                                "rediss://locks:6379",
                                "locks"),
                        new Aspect(false, 17, true, true, false),
                        new Transaction(false, Duration.ofMillis(20), InsideTransaction.FAIL),
                        new Shutdown(Duration.ofSeconds(1)),
                        new LockMetricsProperties(7, true),
                        new LocksEndpointProperties(7, true),
                        new Web(false, IdentityDetail.FULL)));
    }

    @Test
    void whatIsLeftOutHasItsDocumentedDefault() {
        DistributedLockProperties defaults = bind(Map.of());
        assertThat(defaults)
                .isEqualTo(new DistributedLockProperties(
                        true,
                        Store.REDIS,
                        null,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        null,
                        Duration.ZERO,
                        Duration.ofMinutes(5),
                        ReleaseMode.CONFIRMED,
                        IdentityDetail.FULL,
                        new Waiting(true, 10_000, 50_000),
                        Map.of(),
                        new Redis(
                                Duration.ofSeconds(1),
                                0,
                                Duration.ofMillis(100),
                                true,
                                ScriptUse.AUTO,
                                true,
                                false,
                                null,
                                null),
                        new Aspect(true, Integer.MAX_VALUE - 1, false, false, true),
                        new Transaction(true, Duration.ofMillis(100), InsideTransaction.RELEASE_AFTER_COMPLETION),
                        new Shutdown(Duration.ofSeconds(10)),
                        new LockMetricsProperties(100, false),
                        new LocksEndpointProperties(100, false),
                        new Web(true, IdentityDetail.APPLICATION)));
        assertThat(bind(ConfigurationMetadata.defaults())).isEqualTo(defaults);
    }

    @ParameterizedTest
    @CsvSource({"shop,lock:shop", "order service,lock:order-service", "{a},lock:-a-", "'',lock", "' ',lock"})
    void withoutAPrefixItIsMadeOfTheNameOfTheApplication(String application, String prefix) {
        MockEnvironment environment = new MockEnvironment().withProperty("spring.application.name", application);
        assertThat(bind(Map.of()).effectiveKeyPrefix(environment)).isEqualTo(prefix);
        assertThat(bind(Map.of("distributed-lock.key-prefix", "own")).effectiveKeyPrefix(environment))
                .isEqualTo("own");
    }

    @Test
    void withoutANameOfTheApplicationThePrefixIsLock() {
        assertThat(bind(Map.of()).effectiveKeyPrefix(new MockEnvironment())).isEqualTo("lock");
    }

    @ParameterizedTest
    @CsvSource({"0s,0s", "-1s,-1s", "10ms,10ms", "49ms,49ms", "30,30ms", "366d,31622400s"})
    void aTtlThatNoLeaseCanHaveIsRefused(String ttl, String shown) {
        refused("ttl", ttl).contains("distributed-lock.ttl is " + shown + ", but a lease must be from 50ms to 365d");
    }

    @Test
    void aNegativeWaitTimeIsRefused() {
        refused("wait-time", "-1s").contains("distributed-lock.wait-time is -1s, but it must be from 0 to 365d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1s", "49ms"})
    void aMaxHoldThatNoLockCanHaveIsRefused(String maxHold) {
        refused("max-hold", maxHold)
                .contains("distributed-lock.max-hold is " + maxHold + ", but it must be from 50ms to 365d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "-1s"})
    void aWarningBeforeTheHoldHasBegunIsRefused(String warning) {
        refused("long-hold-warning", warning)
                .contains("distributed-lock.long-hold-warning is " + warning + ", but it must be above 0");
    }

    @ParameterizedTest
    @CsvSource({"-1s,-1s", "25h,90000s"})
    void aDrainTimeThatNoShutdownCanHaveIsRefused(String drainTime, String shown) {
        refused("shutdown.drain-time", drainTime)
                .contains("distributed-lock.shutdown.drain-time is " + shown + ", but it must be from 0 to 1d");
    }

    @Test
    void aWaitTimeOfZeroIsOneTry() {
        assertThat(bind(Map.of("distributed-lock.wait-time", "0")).waitTime()).isZero();
    }

    @Test
    void anEmptyValueIsLikeNone() {
        assertThat(bind(Map.of("distributed-lock.ttl", "", "distributed-lock.redis.command-timeout", "")))
                .isEqualTo(bind(Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "-1s", "9ms"})
    void aCommandTimeoutThatNoAnswerCanKeepIsRefused(String timeout) {
        refused("redis.command-timeout", timeout)
                .contains("distributed-lock.redis.command-timeout is " + timeout + ", but it must be at least 10ms");
    }

    @Test
    void aThirdOfAShortTtlIsTheCommandTimeoutWithoutASecondSetting() {
        assertThat(bind(Map.of("distributed-lock.ttl", "2s")).effectiveCommandTimeout())
                .isEqualTo(Duration.ofSeconds(2).dividedBy(3));
        assertThat(bind(Map.of("distributed-lock.ttl", "3s")).effectiveCommandTimeout())
                .hasSeconds(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my lock", "{shop}", "a}"})
    void aPrefixThatWouldChangeTheMeaningOfKeysIsRefused(String prefix) {
        refused("key-prefix", prefix)
                .contains("distributed-lock.key-prefix is '" + prefix
                        + "', but it must not be empty or contain blanks or braces");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1s", "11s"})
    void aCommitMarginThatALockInGoodOrderMightNotHaveIsRefused(String margin) {
        refused("transaction.commit-margin", margin)
                .contains("distributed-lock.transaction.commit-margin is " + margin
                        + ", but it must be from 0 to a third of distributed-lock.ttl, which is 30s");
    }

    @Test
    void replicasThatCannotBeWaitedForAreRefused() {
        refused("redis.replicas", "-1").contains("distributed-lock.redis.replicas is -1, but it must be 0 or more");
        assertThatException()
                .isThrownBy(() -> bind(Map.of(
                        "distributed-lock.redis.replicas", "1", "distributed-lock.redis.replica-timeout", "501ms")))
                .havingRootCause()
                .isInstanceOf(LockConfigurationException.class)
                .withMessageContaining(
                        "distributed-lock.redis.replica-timeout is 501ms, but it must be above 0 and at most half");
    }

    @Test
    void aQuorumWithoutScriptsIsRefused() {
        assertThatException()
                .isThrownBy(() ->
                        bind(Map.of("distributed-lock.store", "quorum", "distributed-lock.redis.scripts", "never")))
                .havingRootCause()
                .isInstanceOf(LockConfigurationException.class)
                .withMessageContaining("distributed-lock.redis.scripts is never, but distributed-lock.store is quorum");
    }

    private static AbstractStringAssert<?> refused(String property, String value) {
        return assertThatException()
                .isThrownBy(() -> bind(Map.of("distributed-lock." + property, value)))
                .havingRootCause()
                .isInstanceOf(LockConfigurationException.class)
                .extracting(Throwable::getMessage, org.assertj.core.api.InstanceOfAssertFactories.STRING);
    }

    private static DistributedLockProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(DistributedLockProperties.PREFIX, DistributedLockProperties.class);
    }
}
