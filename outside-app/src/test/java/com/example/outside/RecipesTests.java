package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockContext;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The recipes of the documentation do what their page says; the annotations are those of the page. */
@Timeout(60)
class RecipesTests {

    static class Shop {

        private final List<String> running = new ArrayList<>();
        private int stock = 3;

        @DistributedLock(name = "submit", key = "#userId", waitTime = "0")
        public String submit(long userId, CountDownLatch begun, CountDownLatch end) throws InterruptedException {
            begun.countDown();
            end.await();
            return "placed";
        }

        /** A check and a change in two steps, which only a lock keeps together. */
        @DistributedLock(name = "stock", key = "#productId")
        public boolean buy(long productId) throws InterruptedException {
            int left = stock;
            Thread.sleep(1);
            if (left == 0) {
                return false;
            }
            stock = left - 1;
            return true;
        }

        public int stock() {
            return stock;
        }

        @DistributedLock(
                name = "account",
                key = {"#from", "#to"})
        public void transfer(long from, long to) {
            synchronized (running) {
                assertThat(running).doesNotContain("a" + from, "a" + to);
                running.add("a" + from);
                running.add("a" + to);
            }
            synchronized (running) {
                running.remove("a" + from);
                running.remove("a" + to);
            }
        }

        @DistributedLock(name = "report", key = "#month", waitTime = "0", maxHold = "2h")
        public boolean report(String month) {
            LockContext.requireHeld("report");
            return true;
        }
    }

    private static final ExecutorService THREADS = Executors.newFixedThreadPool(16);
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(OutsideApplication.class, Shop.class)
                .web(WebApplicationType.NONE)
                .run("--distributed-lock.store=memory");
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
        application.close();
    }

    @Test
    void aSecondSubmitIsRefusedWhileTheFirstOneRunsButNotAfterwards() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<String> first = THREADS.submit(() -> shop().submit(7, begun, end));
        begun.await();
        assertThatThrownBy(() -> shop().submit(7, begun, end)).isInstanceOf(LockNotAcquiredException.class);
        end.countDown();
        assertThat(first.get()).isEqualTo("placed");
        assertThat(shop().submit(7, begun, end)).isEqualTo("placed"); // a lock is no idempotency
    }

    @Test
    void stockIsNeverOversold() throws Exception {
        List<Callable<Boolean>> buyers = new ArrayList<>();
        for (int each = 0; each < 12; each++) {
            buyers.add(() -> shop().buy(1));
        }
        int sold = 0;
        for (Future<Boolean> buyer : THREADS.invokeAll(buyers)) {
            sold += buyer.get() ? 1 : 0;
        }
        assertThat(sold).isEqualTo(3);
        assertThat(shop().stock()).isZero();
    }

    @Test
    void oneCallerComputesTheCachedValue() throws Exception {
        Map<String, String> cache = new ConcurrentHashMap<>();
        AtomicInteger computed = new AtomicInteger();
        LockTemplate locks = application.getBean(LockTemplate.class);
        Callable<Optional<String>> load = () -> locks.tryExecute(
                LockRequest.of("cache", 1).withWaitTime(Duration.ofSeconds(10)),
                lock -> cache.computeIfAbsent("1", each -> "value " + computed.incrementAndGet()));
        for (Future<Optional<String>> caller : THREADS.invokeAll(List.of(load, load, load, load, load))) {
            assertThat(caller.get()).contains("value 1");
        }
        assertThat(computed).hasValue(1);
    }

    @Test
    void transfersInOppositeDirectionsNeitherMeetNorDeadlock() throws Exception {
        List<Callable<Object>> transfers = new ArrayList<>();
        for (int each = 0; each < 40; each++) {
            long from = each % 3;
            long to = (each + 1 + each % 2) % 3;
            transfers.add(() -> {
                shop().transfer(from, to);
                return "done";
            });
        }
        for (Future<Object> transfer : THREADS.invokeAll(transfers)) {
            assertThat(transfer.get()).isEqualTo("done");
        }
    }

    @Test
    void aReportCanRequireItsLock() {
        assertThat(shop().report("2026-11")).isTrue();
    }

    private static Shop shop() {
        return application.getBean(Shop.class);
    }
}
