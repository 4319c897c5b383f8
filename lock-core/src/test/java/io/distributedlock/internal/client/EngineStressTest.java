package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.FlakyStore;
import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads in real time on a store that keeps misbehaving: what is promised holds, and nothing is left behind. */
@Timeout(180)
class EngineStressTest {

    private static final int WORKERS = 8;
    private static final int KEYS = 3;
    private static final Duration RUN = Duration.ofSeconds(4);
    private static final Duration TTL = Duration.ofSeconds(10);
    /** The store's clock runs so slowly that nothing expires in it: whatever is free at the end was freed. */
    private static final int STORE_SLOWNESS = 100;

    private final long start = System.nanoTime();
    private final InMemoryLockStore memory =
            new InMemoryLockStore(() -> start + (System.nanoTime() - start) / STORE_SLOWNESS);
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicReference<LockHandle>> inside = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> lastToken = new ConcurrentHashMap<>();
    private LockClient client;

    @AfterEach
    void close() {
        client.close();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.4})
    void whateverTheStoreDoesLocksExcludeTokensGrowAndNothingStaysBehind(double trouble) throws Exception {
        client = LockClient.builder(new FlakyStore(memory, 20_260_101, trouble, Duration.ofMillis(300)))
                .ttl(TTL)
                .commandTimeout(Duration.ofMillis(100))
                .waitTime(Duration.ofMillis(500))
                .build();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Random random = new Random(i);
            workers.add(new Thread(() -> work(random), "worker-" + i));
        }
        workers.forEach(Thread::start);
        disturb(workers);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(violations).isEmpty();
        assertThat(entries).hasPositiveValue();
        assertThat(trouble == 0 || failures.get() > 0).isTrue();
        assertNothingIsLeft();
    }

    private void disturb(List<Thread> workers) {
        Random random = new Random(42);
        long begin = System.nanoTime();
        await().pollInterval(20, TimeUnit.MILLISECONDS).until(() -> {
            workers.get(random.nextInt(WORKERS)).interrupt();
            return System.nanoTime() - begin > RUN.toNanos();
        });
        running.set(false);
    }

    private void work(Random random) {
        while (running.get()) {
            LockRequest wanted = request(random);
            try {
                if (random.nextInt(4) == 0) {
                    hurriedly(wanted, random);
                } else {
                    client.tryAcquire(wanted).ifPresent(this::enter);
                }
            } catch (LockException expected) {
                failures.incrementAndGet();
                Thread.interrupted();
            }
        }
    }

    private static LockRequest request(Random random) {
        LockRequest wanted = LockRequest.of("key-" + random.nextInt(KEYS));
        LockRequest timed = random.nextInt(3) == 0 ? wanted.withTtl(Duration.ofSeconds(8)) : wanted;
        return random.nextInt(3) == 0 ? timed.withWaitTime(Duration.ZERO) : timed;
    }

    /** A caller that gives up after some milliseconds, in whatever state its call is then. */
    private void hurriedly(LockRequest wanted, Random random) {
        CompletableFuture<LockHandle> call = client.acquireAsync(wanted);
        CompletableFuture<Void> used = call.thenAccept(this::enter);
        call.orTimeout(random.nextInt(1, 30), TimeUnit.MILLISECONDS);
        used.handle((done, failure) -> failure == null).join();
    }

    private void enter(LockHandle lock) {
        AtomicReference<LockHandle> room = inside.computeIfAbsent(lock.name(), key -> new AtomicReference<>());
        AtomicLong fence = lastToken.computeIfAbsent(lock.name(), key -> new AtomicLong());
        LockHandle other = room.getAndSet(lock);
        long before = fence.getAndAccumulate(lock.fencingToken(), Math::max);
        if (other != null && other.isHeld() && lock.isHeld()) {
            violations.add("two holders: " + other + " and " + lock);
        }
        if (before >= lock.fencingToken() && lock.isHeld()) {
            violations.add("token " + lock.fencingToken() + " after " + before + " for " + lock);
        }
        entries.incrementAndGet();
        room.compareAndSet(lock, null);
        try {
            lock.release();
        } catch (LockLostException lost) {
            failures.incrementAndGet();
        }
    }

    private void assertNothingIsLeft() {
        await().until(() -> client.unresolved() == 0);
        assertThat(client.held()).isEmpty();
        for (int i = 0; i < KEYS; i++) {
            Claim probe = new Claim(LockRequest.of("key-" + i).id().encoded(), "probe");
            assertThat(memory.acquire(probe, TTL, Duration.ZERO))
                    .isCompletedWithValueMatching(Granted.class::isInstance);
        }
    }
}
