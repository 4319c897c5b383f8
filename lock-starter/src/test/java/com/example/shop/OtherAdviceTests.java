package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.annotation.DirtiesContext;
import reactor.core.publisher.Mono;

/** Methods that have a lock and other advice besides. */
@SpringBootTest(classes = ShopApplication.class, properties = "distributed-lock.store=memory")
@Import({OtherAdviceTests.Advised.class, OtherAdviceTests.Bakery.class})
@DirtiesContext
class OtherAdviceTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    @Autowired
    private Bakery bakery;

    @Test
    void eachTryOfARetriedPublisherTakesItsOwnLock() {
        assertThat(bakery.knead("rye").block(SOON)).isEqualTo("dough");
        assertThat(Bakery.TOKENS).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void eachTryOfSpringRetryTakesItsOwnLock() {
        assertThat(bakery.rise("rye")).isEqualTo("risen");
        assertThat(Bakery.RISINGS).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void callersThatWaitWhileAValueIsComputedGetItFromTheCache() throws Exception {
        List<CompletableFuture<String>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(CompletableFuture.supplyAsync(() -> bakery.price("rye"), task -> new Thread(task).start()));
        }
        for (CompletableFuture<String> caller : callers) {
            assertThat(caller.get(60, TimeUnit.SECONDS)).isEqualTo("3 for rye");
        }
        assertThat(Bakery.PRICES).hasValue(1);
    }

    @Test
    void aFutureIsInTheCacheBeforeItsLockIsReleased() throws Exception {
        CompletableFuture<String> first = bakery.stock("rye");
        CompletableFuture<String> second = bakery.stock("rye");
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("5 of rye");
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("5 of rye");
        assertThat(Bakery.STOCKS).hasValue(1);
    }

    @Test
    void aScheduledMethodRunsUnderItsLock() {
        await().untilAsserted(() ->
                assertThat(Bakery.CLEANINGS).contains("Bakery.clean/oven").doesNotContain("no lock"));
        await().untilAsserted(() ->
                assertThat(Bakery.AIRINGS).contains("Bakery.air/room").doesNotContain("no lock"));
    }

    @Test
    void callersWaitAtTheConcurrencyLimitAndNotForTheLock() throws Exception {
        CountDownLatch firstIsIn = new CountDownLatch(1);
        CountDownLatch firstMayEnd = new CountDownLatch(1);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> bakery.bake("rye", () -> {
            firstIsIn.countDown();
            awaitEnd(firstMayEnd);
        }));
        assertThat(firstIsIn.await(60, TimeUnit.SECONDS)).isTrue();
        Thread[] thread = new Thread[1];
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> bakery.bake("rye", () -> {}), task -> {
            thread[0] = new Thread(task);
            thread[0].start();
        });
        await().until(() -> thread[0].getState() == Thread.State.WAITING);
        firstMayEnd.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("bread");
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("bread");
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException(interrupt);
        }
    }

    @EnableCaching
    @EnableScheduling
    @EnableRetry
    @EnableResilientMethods
    static class Advised {
        @Bean
        ConcurrentMapCacheManager caches() {
            return new ConcurrentMapCacheManager("prices", "stocks");
        }
    }

    static class Bakery {
        static final List<Long> TOKENS = new CopyOnWriteArrayList<>();
        static final List<Long> RISINGS = new CopyOnWriteArrayList<>();
        static final List<String> CLEANINGS = new CopyOnWriteArrayList<>();
        static final List<String> AIRINGS = new CopyOnWriteArrayList<>();
        static final AtomicInteger PRICES = new AtomicInteger();
        static final AtomicInteger STOCKS = new AtomicInteger();

        private static String lock() {
            return LockContext.current().stream()
                    .findFirst()
                    .map(lock -> lock.name() + "/" + lock.key())
                    .orElse("no lock");
        }

        private static long token() {
            return LockContext.current().get(0).fencingToken();
        }

        @Retryable(maxRetries = 2, delay = 1)
        @DistributedLock(key = "#kind")
        public Mono<String> knead(String kind) {
            TOKENS.add(token());
            return TOKENS.size() < 3 ? Mono.error(new IllegalStateException("too dry")) : Mono.just("dough");
        }

        @org.springframework.retry.annotation.Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
        @DistributedLock(key = "#kind")
        public String rise(String kind) {
            RISINGS.add(token());
            if (RISINGS.size() < 3) {
                throw new IllegalStateException("too cold");
            }
            return "risen";
        }

        @Cacheable("prices")
        @DistributedLock(key = "#kind")
        public String price(String kind) {
            return "3 for " + kind + (PRICES.incrementAndGet() == 1 ? "" : " again");
        }

        @Cacheable("stocks")
        @DistributedLock(key = "#kind")
        public CompletableFuture<String> stock(String kind) {
            STOCKS.incrementAndGet();
            return CompletableFuture.completedFuture("5 of " + kind);
        }

        @Scheduled(fixedDelay = 20)
        @DistributedLock(key = "'oven'")
        public void clean() {
            CLEANINGS.add(lock());
        }

        @Scheduled(fixedDelay = 20)
        @DistributedLock(key = "'room'")
        public Mono<Void> air() {
            AIRINGS.add(lock());
            return Mono.empty();
        }

        @ConcurrencyLimit(1)
        @DistributedLock(key = "#kind", waitTime = "0")
        public String bake(String kind, Runnable work) {
            work.run();
            return "bread";
        }
    }
}
