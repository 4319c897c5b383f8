package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.OnRefusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.test.annotation.DirtiesContext;

/** Methods that return a future hold their lock until it is complete. */
@SpringBootTest(classes = ShopApplication.class, properties = "distributed-lock.store=memory")
@Import({LockedFutureTests.Courier.class, LockedFutureTests.Counting.class, LockedFutureTests.Asynchronous.class})
@DirtiesContext
class LockedFutureTests {

    private static final LockRequest PARCEL = LockRequest.of("parcel", "7");

    @Autowired
    private Courier courier;

    @Autowired
    private LockClient client;

    @Autowired
    private ThreadPoolTaskExecutor tasks;

    @BeforeEach
    void newCalls() {
        Courier.CALLS.set(0);
    }

    @AfterEach
    void nothingIsHeld() {
        await().untilAsserted(() -> assertThat(client.held()).isEmpty());
    }

    @Test
    void theLockIsHeldUntilTheFutureIsCompleteAndReleasedBeforeItsResultIsPassedOn() throws Exception {
        CompletableFuture<String> delivery = new CompletableFuture<>();
        CompletableFuture<String> result = courier.deliver("7", () -> delivery);
        CompletableFuture<Integer> heldAtResult =
                result.thenApply(text -> client.held().size());
        await().until(() -> Courier.CALLS.get() == 1);
        assertThat(client.held()).extracting(LockHandle::key).containsExactly("7");
        assertThat(result).isNotDone();
        delivery.complete("here");
        assertThat(heldAtResult.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(result).isCompletedWithValue("here");
    }

    @Test
    void aCompletionStageIsAFutureToo() throws Exception {
        CompletableFuture<String> delivery = new CompletableFuture<>();
        CompletionStage<String> result = courier.deliverAsStage("7", delivery);
        await().until(() -> client.held().size() == 1);
        delivery.complete("here");
        assertThat(result.toCompletableFuture().get(60, TimeUnit.SECONDS)).isEqualTo("here");
    }

    @Test
    void whatTheFutureOrTheMethodFailsWithReachesTheCallerAsItIs() {
        IllegalStateException failure = new IllegalStateException("no way");
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> courier.deliver("7", () -> CompletableFuture.failedFuture(failure))
                        .get(60, TimeUnit.SECONDS))
                .havingCause()
                .isSameAs(failure);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> courier.deliver("7", () -> {
                            throw failure;
                        })
                        .get(60, TimeUnit.SECONDS))
                .havingCause()
                .isSameAs(failure);
    }

    @Test
    void aResultThatIsCancelledOrTimesOutLeavesTheFutureOfTheMethodAndItsLockAlone() {
        CompletableFuture<String> delivery = new CompletableFuture<>();
        CompletableFuture<String> result = courier.deliver("7", () -> delivery);
        await().until(() -> Courier.CALLS.get() == 1);
        result.orTimeout(1, TimeUnit.MILLISECONDS);
        await().until(result::isCompletedExceptionally);
        assertThat(delivery).isNotDone();
        assertThat(client.tryAcquire(PARCEL.withWaitTime(Duration.ofMillis(100))))
                .isEmpty();
        delivery.complete("here after all");
    }

    @Test
    void aMethodThatHasNotBegunWhenItsCallerGivesUpIsNotCalled() {
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < tasks.getCorePoolSize(); i++) {
            tasks.submit(() -> end.await(60, TimeUnit.SECONDS));
        }
        CompletableFuture<String> result = courier.deliver("7", () -> CompletableFuture.completedFuture("here"));
        await().until(() -> !client.held().isEmpty());
        result.cancel(true);
        end.countDown();
        await().until(() -> client.held().isEmpty());
        assertThat(Courier.CALLS).hasValue(0);
    }

    @Test
    void aMethodWhoseResultIsCancelledMeanwhileKeepsItsLockUntilItReturns() throws Exception {
        CompletableFuture<String> blocking = new CompletableFuture<>();
        CompletableFuture<String> result =
                courier.deliver("7", () -> CompletableFuture.completedFuture(blocking.get(60, TimeUnit.SECONDS)));
        await().until(() -> Courier.CALLS.get() == 1);
        result.cancel(true);
        assertThat(client.tryAcquire(PARCEL.withWaitTime(Duration.ofMillis(100))))
                .isEmpty();
        blocking.complete("done");
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsIsNotMade() {
        CompletableFuture<String> result;
        try (LockHandle other = client.acquire(PARCEL)) {
            result = courier.deliver("7", () -> CompletableFuture.completedFuture(other.key()));
            result.cancel(true);
        }
        client.acquire(PARCEL).release();
        assertThat(Courier.CALLS).hasValue(0);
        assertThat(result).isCancelled();
    }

    @Test
    void aRefusedCallFailsItsFutureOrIsSkipped() throws Exception {
        try (LockHandle other = client.acquire(PARCEL)) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> courier.deliverNow("7").join())
                    .withCauseInstanceOf(LockNotAcquiredException.class);
            assertThat(courier.deliverUnlessBusy(other.key()).get(60, TimeUnit.SECONDS))
                    .isEmpty();
        }
        assertThat(courier.deliverUnlessBusy("7").get(60, TimeUnit.SECONDS)).contains("here");
    }

    @Test
    void theMethodRunsWhereTheApplicationsTasksDoWithItsLockAndItsAspects() throws Exception {
        int aspects = Counting.SEEN.get();
        assertThat(courier.deliver(
                                "7",
                                () -> CompletableFuture.completedFuture(
                                        Thread.currentThread().getName() + " "
                                                + LockContext.find("parcel")
                                                        .orElseThrow()
                                                        .key()))
                        .get(60, TimeUnit.SECONDS))
                .matches("task-\\d+ 7");
        assertThat(Counting.SEEN).hasValue(aspects + 1);
    }

    @Test
    void anAsyncMethodHoldsItsLockOnItsThreadUntilItsFutureIsComplete() throws Exception {
        CompletableFuture<String> delivery = new CompletableFuture<>();
        Future<String> result = courier.deliverInBackground("7", delivery);
        await().until(() -> Courier.CALLS.get() == 1);
        assertThat(client.held()).hasSize(1);
        delivery.complete("here");
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("here");
        CompletableFuture<String> failing = CompletableFuture.failedFuture(new IllegalStateException("no way"));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> courier.deliverInBackground("7", failing).get(60, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessage("no way");
    }

    @EnableAsync
    static class Asynchronous {}

    /** Stands inside of the lock, on another thread than the caller's. */
    @Aspect
    static class Counting {
        static final AtomicInteger SEEN = new AtomicInteger();

        @Around("execution(* com.example.shop.LockedFutureTests.Courier.*(..))")
        public Object count(ProceedingJoinPoint call) throws Throwable {
            SEEN.incrementAndGet();
            return call.proceed();
        }
    }

    static class Courier {
        static final AtomicInteger CALLS = new AtomicInteger();

        @DistributedLock(name = "parcel", key = "#id")
        public CompletableFuture<String> deliver(String id, Callable<CompletableFuture<String>> delivery)
                throws IllegalStateException {
            CALLS.incrementAndGet();
            try {
                return delivery.call();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @DistributedLock(name = "parcel", key = "#id")
        public CompletionStage<String> deliverAsStage(String id, CompletableFuture<String> delivery) {
            return delivery;
        }

        @DistributedLock(name = "parcel", key = "#id", waitTime = "0")
        public CompletableFuture<String> deliverNow(String id) {
            return CompletableFuture.completedFuture("here");
        }

        @DistributedLock(name = "parcel", key = "#id", waitTime = "0", onRefusal = OnRefusal.SKIP)
        public CompletableFuture<Optional<String>> deliverUnlessBusy(String id) {
            return CompletableFuture.completedFuture(Optional.of("here"));
        }

        @Async
        @DistributedLock(name = "parcel", key = "#id")
        public Future<String> deliverInBackground(String id, CompletableFuture<String> delivery) {
            assertThat(LockContext.current()).hasSize(1);
            CALLS.incrementAndGet();
            return delivery;
        }
    }
}
