package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LazyEngineTest {

    private final LockStore store = new InMemoryLockStore();
    private final AtomicInteger asked = new AtomicInteger();
    private final Supplier<LockStore> source = () -> {
        asked.incrementAndGet();
        return store;
    };

    @Test
    void aStoreIsAskedForAtTheFirstLockAndNotBefore() {
        LockClient client = LockClient.builder(source)
                .policy(
                        "short",
                        LockPolicy.of(
                                (request, running) -> running.longest("other").plusSeconds(5)))
                .build();
        LockMonitor monitor = client.monitor();
        assertThat(asked).hasValue(0);
        client.acquire("42").release();
        assertThat(asked).hasValue(1);
        client.acquire("42").release();
        assertThat(asked).hasValue(1);
        assertThat(monitor.held(10)).isEmpty();
        client.close();
    }

    @Test
    void aStoreThatCannotBeMadeFailsEachRequestUntilItCan() {
        LockClient client = LockClient.builder(() -> {
                    if (asked.incrementAndGet() < 3) {
                        throw new IllegalStateException("no store yet");
                    }
                    return store;
                })
                .build();
        assertThatIllegalStateException().isThrownBy(() -> client.acquire("42")).withMessage("no store yet");
        assertThat(client.acquireAsync(LockRequest.of("42")))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withMessageContaining("no store yet");
        client.acquire("42").release();
        client.close();
    }

    @Test
    void threadsThatComeTogetherShareOneEngine() throws InterruptedException {
        LockClient client = LockClient.builder(source).build();
        CountDownLatch together = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Void>> threads = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> {
                            try {
                                together.await();
                            } catch (InterruptedException interrupt) {
                                throw new IllegalStateException(interrupt);
                            }
                            try (LockHandle lock = client.acquire("42")) {
                                assertThat(inside.incrementAndGet()).isEqualTo(1);
                                inside.decrementAndGet();
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();
        together.countDown();
        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(client.monitor().statistics().held()).isEmpty();
        client.close();
    }

    @Test
    void aClientThatWasNeverUsedIsDrainedAndClosedWithoutAStore() {
        LockClient client = LockClient.builder(source).build();
        client.drain(Duration.ofSeconds(1));
        client.close();
        assertThat(asked).hasValue(0);
        assertThatThrownBy(() -> client.acquire("42"))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        closed -> assertThat(closed.outcome()).isEqualTo(LockUnavailableException.Outcome.CLOSED));
        assertThat(asked).hasValue(0);
    }

    @Test
    void aStoreThatWasGivenIsClosedThoughItWasNeverUsed() {
        AtomicInteger closed = new AtomicInteger();
        LockStore given = (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("close");
                    closed.incrementAndGet();
                    return null;
                });
        LockClient client = LockClient.builder(given).build();
        client.close();
        client.close();
        assertThat(closed).hasValue(1);
    }
}
