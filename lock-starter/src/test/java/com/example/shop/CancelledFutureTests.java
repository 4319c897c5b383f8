package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

/** An application that wants the futures of its methods to be cancelled when their callers give up. */
@SpringBootTest(
        classes = ShopApplication.class,
        properties = {"distributed-lock.store=memory", "distributed-lock.aspect.cancel-work=true"})
@Import(LockedFutureTests.Courier.class)
@DirtiesContext
class CancelledFutureTests {

    @Autowired
    private LockedFutureTests.Courier courier;

    @Autowired
    private LockClient client;

    @BeforeEach
    void newCalls() {
        LockedFutureTests.Courier.CALLS.set(0);
    }

    @Test
    void aCancelledResultCancelsTheFutureOfTheMethodAndReleasesTheLock() {
        CompletableFuture<String> delivery = new CompletableFuture<>();
        CompletableFuture<String> result = courier.deliver("7", () -> delivery);
        await().until(() -> LockedFutureTests.Courier.CALLS.get() == 1);
        result.cancel(true);
        await().untilAsserted(() -> assertThat(delivery).isCancelled());
        await().until(() -> client.held().isEmpty());
    }

    @Test
    void aResultThatTimesOutDoesSoToo() {
        CompletableFuture<String> delivery = new CompletableFuture<>();
        CompletableFuture<String> result = courier.deliver("7", () -> delivery);
        await().until(() -> LockedFutureTests.Courier.CALLS.get() == 1);
        result.orTimeout(1, TimeUnit.MILLISECONDS);
        await().untilAsserted(() -> assertThat(delivery).isCancelled());
        await().until(() -> client.held().isEmpty());
    }
}
