package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(classes = ShopApplication.class)
@DirtiesContext
class LockedMethodsTests {

    private static final RedisServer REDIS = RedisServer.start();

    @Autowired
    private OrderService orders;

    @Autowired
    private Stock stock;

    @Autowired
    private LockTemplate template;

    @Autowired
    private LockClient client;

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry registry) {
        registry.add("spring.data.redis.port", REDIS::port);
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Test
    void aMethodRunsUnderItsLockAndTheLockIsGoneAfterwards() throws Exception {
        Object inside = orders.underLock("42", () -> REDIS.command("EXISTS", "lock:{order:42}"));
        assertThat(inside).isEqualTo(1L);
        assertThat(REDIS.command("EXISTS", "lock:{order:42}")).isEqualTo(0L);
    }

    @Test
    void aSecondCallerIsRefusedWhileTheFirstRuns() throws Exception {
        orders.underLock("42", () -> {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> OtherThread.call(() -> orders.locksOf("42")))
                    .withCauseInstanceOf(LockNotAcquiredException.class);
            assertThat(OtherThread.call(() -> orders.locksOf("43"))).hasSize(1);
            return null;
        });
        assertThat(OtherThread.call(() -> orders.locksOf("42"))).hasSize(1);
    }

    @Test
    void callsThatShareALockRunBesideEachOtherAndKeepOthersOut() throws Exception {
        String both = orders.read("42", () -> {
            assertThat(OtherThread.call(() -> orders.tryPlace("42"))).isEmpty();
            return OtherThread.call(() -> orders.read("42", () -> "beside it"));
        });
        assertThat(both).isEqualTo("beside it");
        orders.underLock("42", () -> {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> OtherThread.call(() -> orders.read("42", () -> "not now")))
                    .withCauseInstanceOf(LockNotAcquiredException.class);
            return null;
        });
    }

    @Test
    void severalKeysAreSeveralLocksAllOrNone() throws Exception {
        assertThat(orders.merge("2", "1")).extracting(LockHandle::key).containsExactlyInAnyOrder("1", "2");
        assertThat(orders.merge("1", "1")).hasSize(1);
        assertThat(orders.ship(Set.of("1", "2", "3"))).contains(3);
        orders.underLock("2", () -> {
            assertThat(OtherThread.call(() -> orders.ship(Set.of("1", "2", "3"))))
                    .isEmpty();
            assertThat(REDIS.command("KEYS", "lock:{order:*")).isEqualTo(List.of("lock:{order:2}"));
            return null;
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.ship(Set.of()))
                .withMessageContaining("nothing would be locked");
    }

    @Test
    void aRefusedCallIsSkippedWhereTheAnnotationSaysSo() throws Exception {
        orders.underLock("42", () -> {
            assertThat(OtherThread.call(() -> orders.tryPlace("42"))).isEmpty();
            assertThat(OtherThread.call(() -> orders.tryPlaceForText("42", () -> "called")))
                    .isNull();
            return null;
        });
        assertThat(orders.tryPlace("42")).contains("placed 42");
        assertThat(orders.tryPlaceForText("42", () -> null)).isNull();
    }

    @Test
    void aRefusalInsideTheMethodIsNotTakenForARefusalOfTheMethod() throws Exception {
        orders.underLock("43", () -> {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> OtherThread.call(() -> orders.tryPlaceForText(
                            "42", () -> orders.locksOf("43").toString())))
                    .withCauseInstanceOf(LockNotAcquiredException.class);
            return null;
        });
    }

    @Test
    void aNestedCallOfTheSameLockIsCoveredByTheOuterOne() throws Exception {
        List<LockHandle> locks = orders.underLock("42", () -> orders.locksOf("42"));
        assertThat(locks).hasSize(1);
        template.run(LockRequest.of("order", "42"), outer -> {
            LockHandle inner = orders.locksOf("42").get(0);
            assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        });
    }

    @Test
    void whatTheMethodThrowsReachesTheCallerAsItIs() {
        IOException thrown = new IOException("disk");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> orders.underLock("42", () -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(client.held()).isEmpty();
    }

    @Test
    void anArgumentThatIsChangedMeanwhileDoesNotChangeTheLock() {
        List<String> items = new ArrayList<>(List.of("tea"));
        assertThat(orders.first(items, () -> items.set(0, "coffee"))).isEqualTo("tea");
        assertThat(REDIS.command("EXISTS", "lock:{cart:tea}")).isEqualTo(0L);
    }

    @Test
    void aMethodWithATtlHoldsItsLockForThatTime() {
        Object[] left = new Object[1];
        orders.first(List.of("tea"), () -> left[0] = REDIS.command("PTTL", "lock:{cart:tea}"));
        assertThat((Long) left[0]).isBetween(1L, Duration.ofSeconds(10).toMillis());
    }

    @Test
    void theAnnotationOfAnInterfaceLocksTheImplementation() {
        assertThat(AopUtils.isCglibProxy(stock)).isTrue();
        assertThat(stock.take("tea")).isEqualTo("Stock.take/item:tea");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  ", "\n"})
    void aMissingKeyFailsTheCallWithoutALock(String id) {
        boolean[] called = new boolean[1];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.underLock(id, () -> called[0] = true))
                .withMessageContaining("The key \"#id\" of com.example.shop.OrderService.underLock(String, Callable)");
        assertThat(called[0]).isFalse();
        assertThat(REDIS.command("KEYS", "lock:{order*")).isEqualTo(List.of());
    }

    static Stream<String> unusualKeys() {
        return Stream.of(
                "x".repeat(10_000),
                "{42}",
                "a}b{c",
                "line\nbreak",
                "a b",
                "a:b",
                "%41",
                "\u00fc\u20ac\ud83d\ude80",
                "\ud83d",
                "*");
    }

    @ParameterizedTest
    @MethodSource("unusualKeys")
    void anUnusualKeyLocksItselfAndNothingElse(String id) throws Exception {
        orders.underLock(id, () -> {
            assertThat(OtherThread.call(() -> orders.tryPlace(id))).isEmpty();
            assertThat(OtherThread.call(() -> orders.tryPlace(id + "x"))).isPresent();
            List<?> keys = (List<?>) REDIS.command("KEYS", "lock:{order:*");
            assertThat(keys).singleElement().asString().hasSizeLessThan(600).matches("lock:\\{[^{}\\s]+}");
            return null;
        });
        assertThat(orders.tryPlace(id)).isPresent();
    }
}
