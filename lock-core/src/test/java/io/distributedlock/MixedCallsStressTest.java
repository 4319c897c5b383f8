package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many threads of two clients call in every way, exclusively, shared and for two keys at once, while they are
 * interrupted and cancel: what is promised holds, every call returns, and nothing is left behind.
 */
class MixedCallsStressTest {

    private static final int THREADS = 24;
    private static final int KEYS = 4;
    private static final int FEW = 5_000;
    private static final int MANY = 500_000;
    private static final long INTERRUPT_NANOS = 300_000;

    private final List<Room> rooms = Stream.generate(Room::new).limit(KEYS).toList();
    private final List<LockClient> clients = new ArrayList<>();
    private final AtomicInteger grants = new AtomicInteger();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** Where the holders of one key are. */
    private record Room(AtomicInteger writers, AtomicInteger readers, AtomicLong lastToken) {

        Room() {
            this(new AtomicInteger(), new AtomicInteger(), new AtomicLong());
        }
    }

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
    }

    @Test
    void inMemoryAllExcludeEachOtherAndNothingStaysBehind() {
        InMemoryLockStore store = new InMemoryLockStore();
        stress(() -> store, FEW);
    }

    @Tag("long")
    @Test
    void onRedisAllExcludeEachOtherAndNothingStaysBehind() {
        stressOnRedis(FEW);
    }

    @Test
    @Tag("long")
    void inMemoryAllExcludeEachOtherForLong() {
        InMemoryLockStore store = new InMemoryLockStore();
        stress(() -> store, MANY);
    }

    @Test
    @Tag("long")
    void onRedisAllExcludeEachOtherForLong() {
        stressOnRedis(MANY);
    }

    private void stressOnRedis(int wanted) {
        try (RedisServer server = RedisServer.start()) {
            stress(() -> RedisLockStore.of(RedisURI.create(server.uri())), wanted);
            clients.forEach(LockClient::close);
            assertThat(server.command("KEYS", "*")).isEqualTo(List.of("lock:fence"));
        }
    }

    private void stress(Supplier<LockStore> store, int wanted) {
        for (int i = 0; i < 2; i++) {
            clients.add(LockClient.builder(store.get())
                    .commandTimeout(Duration.ofSeconds(5))
                    .build());
        }
        clients.forEach(client -> await().ignoreExceptions().until(() -> lockAndRelease(client, "warm-up")));
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(seed -> new Thread(() -> work(new Random(seed), wanted), "worker-" + seed))
                .toList();
        threads.forEach(Thread::start);
        Random dice = new Random(99);
        while (!isEnough(wanted)) {
            threads.get(dice.nextInt(THREADS)).interrupt();
            LockSupport.parkNanos(INTERRUPT_NANOS);
        }
        await().untilAsserted(() -> assertThat(threads).noneMatch(Thread::isAlive));
        assertThat(violations).isEmpty();
        assertNothingIsLeft();
    }

    private boolean isEnough(int wanted) {
        return grants.get() >= wanted || !violations.isEmpty();
    }

    private void assertNothingIsLeft() {
        await().until(() -> clients.stream().allMatch(client -> client.unresolved() == 0));
        for (LockClient client : clients) {
            assertThat(client.held()).isEmpty();
            for (int key = 0; key < KEYS; key++) {
                assertThat(lockAndRelease(client, "key-" + key)).isTrue();
            }
        }
    }

    private static boolean lockAndRelease(LockClient client, String key) {
        client.acquire(LockRequest.of("default", key)).release();
        return true;
    }

    private void work(Random dice, int wanted) {
        while (!isEnough(wanted)) {
            try {
                call(clients.get(dice.nextInt(clients.size())), dice);
            } catch (LockLostException | IllegalStateException unexpected) {
                violations.add(unexpected.toString());
            } catch (LockException | CompletionException expected) {
                // Refused, interrupted or cancelled.
            }
            Thread.interrupted();
        }
    }

    private void call(LockClient client, Random dice) {
        LockRequest request = request(dice);
        switch (dice.nextInt(6)) {
            case 0 -> release(enter(client.acquire(request), dice), dice);
            case 1, 2 -> release(enter(hastily(client, request, dice), dice), dice);
            case 3 -> release(enterShared(client.acquire(request.shared()), dice), dice);
            case 4 -> client.tryAcquire(request).ifPresent(lock -> release(enter(lock, dice), dice));
            default -> new LockTemplate(client).run(request, lock -> enter(lock, dice));
        }
    }

    private static LockRequest request(Random dice) {
        String key = "key-" + dice.nextInt(KEYS);
        LockRequest plain = dice.nextInt(3) == 0
                ? LockRequest.ofAll("default", List.of(key, "key-" + dice.nextInt(KEYS)))
                        .withFencing()
                : LockRequest.of("default", key).withFencing();
        LockRequest timed = dice.nextInt(6) == 0 ? plain.withTtl(Duration.ofMinutes(1)) : plain;
        return timed.withWaitTime(Duration.ofMillis(dice.nextInt(3) == 0 ? 0 : dice.nextInt(60)));
    }

    /** Asks without blocking, and perhaps does not wait for the answer. */
    private static LockHandle hastily(LockClient client, LockRequest request, Random dice) {
        CompletableFuture<LockHandle> call = client.acquireAsync(request);
        if (dice.nextInt(3) == 0) {
            LockSupport.parkNanos(dice.nextInt(3_000_000));
            call.cancel(false);
        }
        return call.handle((lock, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(failure);
                    }
                    return lock;
                })
                .join();
    }

    private static void release(LockHandle lock, Random dice) {
        if (dice.nextBoolean()) {
            lock.release();
        } else {
            lock.releaseAsync();
        }
    }

    private LockHandle enter(LockHandle lock, Random dice) {
        lock.parts().forEach(part -> enterOne(part, false, dice));
        return lock;
    }

    private LockHandle enterShared(LockHandle lock, Random dice) {
        lock.parts().forEach(part -> enterOne(part, true, dice));
        return lock;
    }

    private void enterOne(LockHandle lock, boolean shared, Random dice) {
        Room room = rooms.get(lock.key().charAt("key-".length()) - '0');
        AtomicInteger mine = shared ? room.readers() : room.writers();
        boolean alone = mine.incrementAndGet() == 1;
        if (shared ? room.writers().get() > 0 : !alone || room.readers().get() > 0) {
            violations.add("others are inside with " + lock);
        }
        if (!shared && room.lastToken().getAndSet(lock.fencingToken()) >= lock.fencingToken()) {
            violations.add("the token does not grow: " + lock);
        }
        if (dice.nextInt(4) == 0) {
            LockSupport.parkNanos(dice.nextInt(1_000_000));
        }
        mine.decrementAndGet();
        grants.incrementAndGet();
    }
}
