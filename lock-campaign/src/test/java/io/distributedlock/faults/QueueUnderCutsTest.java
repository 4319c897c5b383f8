package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Relay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several clients pass one lock around while their connections break all the time. */
@Tag("long")
class QueueUnderCutsTest extends QueueFaultTest {

    private static final int CLIENTS = 4;
    private static final int CUTS = 60;

    private final List<Relay> relays = new ArrayList<>();
    private final List<LockClient> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger violations = new AtomicInteger();
    private final AtomicInteger cycles = new AtomicInteger();
    private final AtomicLong lastToken = new AtomicLong();

    @AfterEach
    void close() {
        running.set(false);
        threads.shutdownNow();
        clients.forEach(LockClient::close);
        relays.forEach(Relay::close);
    }

    @Test
    void oneAtATimeHoldsTheLockAndNothingIsLeft() {
        for (int i = 0; i < CLIENTS; i++) {
            Relay own = Relay.to(server.port());
            relays.add(own);
            LockClient made = newClient(own.uri(), Duration.ofSeconds(15), Duration.ofSeconds(1));
            warmUp(made);
            clients.add(made);
        }
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        clients.forEach(each -> workers.add(CompletableFuture.runAsync(() -> work(each), threads)));
        cut(new Random(42));
        running.set(false);
        CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new))
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        assertThat(violations).hasValue(0);
        await().until(() -> clients.stream().allMatch(each -> each.unresolved() == 0));
        assertNothingIsLeft();
    }

    /** Each cut waits until the lock has changed hands since the one before. */
    private void cut(Random random) {
        for (int i = 0; i < CUTS; i++) {
            int before = cycles.get();
            await().pollInterval(1, TimeUnit.MILLISECONDS).until(() -> cycles.get() > before + random.nextInt(CLIENTS));
            relays.get(random.nextInt(CLIENTS)).cut(random.nextBoolean() ? Cut.FIN : Cut.RST);
        }
    }

    private void work(LockClient own) {
        while (running.get()) {
            try (LockHandle lock =
                    own.acquire(LockRequest.of("42").withFencing().withWaitTime(Duration.ofSeconds(20)))) {
                if (inside.incrementAndGet() != 1) {
                    violations.incrementAndGet();
                }
                long before = lastToken.getAndSet(lock.fencingToken());
                if (before >= lock.fencingToken()) {
                    violations.incrementAndGet();
                }
                inside.decrementAndGet();
                cycles.incrementAndGet();
            } catch (LockException brokenConnection) {
                Thread.onSpinWait();
            }
        }
    }
}
