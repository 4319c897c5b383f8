package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/** An application stops while its threads wait for locks and work under them. */
@Timeout(120)
class OrderlyShutdownTests {

    private static final LockRequest PATIENT = LockRequest.of("order", "42").withWaitTime(Duration.ofHours(1));

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void stop() {
        redis.close();
    }

    private ConfigurableApplicationContext start(String drainTime, Class<?>... more) {
        ConfigurableApplicationContext shop = ShopApplication.start(
                more, "spring.data.redis.port=" + redis.port(), "distributed-lock.shutdown.drain-time=" + drainTime);
        LockClient locks = shop.getBean(LockClient.class);
        // On a busy machine the first connection may take longer than a call waits for it.
        await().ignoreExceptionsInstanceOf(LockUnavailableException.class).until(() -> {
            locks.acquire("warm-up").release();
            return true;
        });
        return shop;
    }

    private static <T> FutureTask<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "shop");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static FutureTask<LockHandle> waiterIn(ConfigurableApplicationContext shop) {
        return inBackground(() -> shop.getBean(LockClient.class).acquire(PATIENT));
    }

    private static void assertToldThatTheApplicationStops(FutureTask<?> waiter) {
        assertThatThrownBy(() -> waiter.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        told -> assertThat(told.outcome()).isEqualTo(Outcome.CLOSED));
    }

    private boolean isInRedis() {
        return redis.command("EXISTS", "lock:{order:42}").equals(1L);
    }

    @Test
    void whoWaitsForALockIsToldAtOnce() {
        ConfigurableApplicationContext elsewhere = start("0s");
        ConfigurableApplicationContext shop = start("2m");
        LockHandle held = elsewhere.getBean(LockClient.class).acquire(PATIENT);
        long before = evaluations();
        FutureTask<LockHandle> waiter = waiterIn(shop);
        await().until(() -> evaluations() > before);

        shop.close();
        assertToldThatTheApplicationStops(waiter);
        assertThat(held.isHeld()).isTrue();
        elsewhere.close();
    }

    /** How many scripts were run, so that one can see a waiter's tries. */
    private long evaluations() {
        return String.valueOf(redis.command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Test
    void workUnderALockEndsInOrderWithinTheDrainTime() throws Exception {
        ConfigurableApplicationContext shop = start("2m");
        CompletableFuture<LockHandle> entered = new CompletableFuture<>();
        CompletableFuture<String> finish = new CompletableFuture<>();
        OrderService orders = shop.getBean(OrderService.class);
        FutureTask<String> work = inBackground(() -> orders.underLock("42", () -> {
            entered.complete(LockContext.find("order").orElseThrow());
            return finish.get(60, TimeUnit.SECONDS);
        }));
        LockHandle lock = entered.get(60, TimeUnit.SECONDS);
        FutureTask<LockHandle> waiter = waiterIn(shop);
        FutureTask<Boolean> closing = inBackground(() -> {
            shop.close();
            return true;
        });

        assertToldThatTheApplicationStops(waiter);
        assertThat(lock.isHeld()).isTrue();
        assertThat(isInRedis()).isTrue();
        assertThat(closing).isNotDone();

        finish.complete("done");
        assertThat(work.get(60, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(closing.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void workThatTakesLongerIsToldThatItsLockIsGone() throws Exception {
        ConfigurableApplicationContext shop = start("100ms");
        CompletableFuture<LockHandle> entered = new CompletableFuture<>();
        CompletableFuture<LossReason> told = new CompletableFuture<>();
        CompletableFuture<String> finish = new CompletableFuture<>();
        OrderService orders = shop.getBean(OrderService.class);
        FutureTask<String> work = inBackground(() -> orders.underLock("42", () -> {
            LockHandle lock = LockContext.find("order").orElseThrow();
            entered.complete(lock);
            told.complete(lock.lost().toCompletableFuture().get(60, TimeUnit.SECONDS));
            return finish.get(60, TimeUnit.SECONDS);
        }));
        LockHandle lock = entered.get(60, TimeUnit.SECONDS);

        shop.close();
        assertThat(told.get(60, TimeUnit.SECONDS)).isEqualTo(LossReason.CLOSED);
        assertThat(lock.isHeld()).isFalse();
        assertThat(isInRedis()).isFalse();

        finish.complete("done");
        assertThatThrownBy(() -> work.get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLOSED));
    }

    /** Stops when web servers end their last requests gracefully, and when schedulers and listeners stop. */
    static class LastRequest implements SmartLifecycle {
        private static final int GRACEFUL_SHUTDOWN_OF_WEB_SERVERS = DEFAULT_PHASE - 1024;
        private final OrderService orders;
        private volatile boolean running;
        private volatile boolean served;

        LastRequest(OrderService orders) {
            this.orders = orders;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            served = orders.tryPlace("42").isPresent();
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return GRACEFUL_SHUTDOWN_OF_WEB_SERVERS;
        }
    }

    @Test
    void theLastRequestsOfAWebServerStillGetTheirLocks() {
        ConfigurableApplicationContext shop = start("10s", LastRequest.class);
        LastRequest request = shop.getBean(LastRequest.class);
        shop.close();
        assertThat(request.served).isTrue();
        assertThat(isInRedis()).isFalse();
    }

    /** Uses a lock, closes its context, and lets its main thread end. */
    static final class ShortLife {
        private static final String ENDED = "the main thread has ended";

        public static void main(String[] arguments) {
            try (ConfigurableApplicationContext shop =
                    ShopApplication.start("spring.data.redis.port=" + arguments[0])) {
                OrderService orders = shop.getBean(OrderService.class);
                // On a busy machine the first connection may take longer than a call waits for it.
                await().pollInSameThread()
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                        .until(() -> orders.tryPlace("42").isPresent());
            }
            System.out.println(ENDED);
        }
    }

    @Test
    void noThreadStaysThatWouldKeepTheProcessAlive() {
        try (ChildJvm child = ChildJvm.start(ShortLife.class, String.valueOf(redis.port()))) {
            // A busy machine takes its time to start an application; only what comes after that is of interest here.
            child.awaitLine(ShortLife.ENDED::equals, Duration.ofSeconds(100));
            assertThat(child.exitCode()).isZero();
        }
    }
}
