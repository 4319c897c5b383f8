package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockPolicy;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LazyEngineTest {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final InMemoryLockStore memory = new InMemoryLockStore();
    private final LockStore store = (LockStore) Proxy.newProxyInstance(
            LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, args) -> {
                if (!method.getName().equals("limits")) { // a store says what they are without doing anything
                    calls.add(method.getName());
                }
                return method.invoke(memory, args);
            });
    private final LockClient client = LockClient.builder(store)
            .policy(
                    "short",
                    LockPolicy.of((request, running) -> running.longest("other").plusSeconds(5)))
            .build();

    @Test
    void aStoreIsLeftAloneUntilTheFirstLock() {
        LockMonitor monitor = client.monitor();
        assertThat(calls).isEmpty();
        client.acquire(LockRequest.of("42").withPolicy("short")).release();
        assertThat(calls).contains("acquire", "release");
        assertThat(monitor.held(10)).isEmpty();
        client.close();
    }

    @Test
    void threadsThatComeTogetherShareOneEngine() {
        CountDownLatch together = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Void>> threads = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> {
                            await(together);
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
        assertThat(calls)
                .as("one watchdog, one reaper, one list of recent releases")
                .filteredOn("onReachable"::equals)
                .hasSize(3);
        client.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException(interrupt);
        }
    }

    @Test
    void aClientThatWasNeverUsedClosesItsStoreAndDoesNothingElse() {
        client.drain(Duration.ofSeconds(1));
        assertThat(calls).isEmpty();
        client.close();
        client.close();
        assertThat(calls).containsExactly("close");
    }

    @Test
    void afterTheEndNothingIsGranted() {
        client.close();
        assertClosed(() -> client.acquire("42"));
        assertClosed(() -> client.acquire(LockRequest.ofAll("order", List.of("1", "2"))));
        assertThat(client.held()).isEmpty();
        assertThat(client.monitor().statistics().held()).isEmpty();
        assertThat(calls).doesNotContain("acquire");
    }

    private static void assertClosed(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        closed -> assertThat(closed.outcome()).isEqualTo(LockUnavailableException.Outcome.CLOSED));
    }
}
