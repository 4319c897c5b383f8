package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockListener;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Many locks that are about to be lost for one cause, what their holders were told, and when. */
final class LossRow implements LockListener, AutoCloseable {

    private static final String NAME = "doomed";

    private final String cause;
    private final Set<LossReason> expected;
    private final Map<String, LossReason> unexpected = new ConcurrentHashMap<>();
    private final Map<String, Integer> events = new ConcurrentHashMap<>();
    private final Map<String, Integer> callbacks = new ConcurrentHashMap<>();
    private final Map<String, Long> signalledAt = new ConcurrentHashMap<>();
    private final Map<String, Long> expiresAt = new ConcurrentHashMap<>();
    private final List<LockHandle> locks = new ArrayList<>();
    private final RedisLockStore store;
    final LockClient client;
    private volatile long since;

    LossRow(String cause, Set<LossReason> expected, String uri, Duration ttl) {
        this.cause = cause;
        this.expected = expected;
        this.store = RedisLockStore.of(RedisURI.create(uri));
        this.client = LockClient.builder(store)
                .commandTimeout(FaultTest.COMMAND_TIMEOUT)
                .ttl(ttl)
                .listener(this)
                .build();
        FaultTest.warmUp(client);
    }

    /** Counts delays from the next moment at which the store is reachable again, instead of from the injection. */
    void countFromReconnect() {
        store.onReachable(() -> since = System.nanoTime());
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Lost lost && expected.contains(lost.reason())) {
            events.merge(lost.key(), 1, Integer::sum);
        }
    }

    void hold(int count, UnaryOperator<LockRequest> how) {
        for (int i = 0; i < count; i++) {
            add(take(how.apply(LockRequest.of(NAME, "lock-" + i))));
        }
    }

    private LockHandle take(LockRequest request) {
        while (true) {
            try {
                return client.acquireAsync(request).get(20, TimeUnit.SECONDS);
            } catch (ExecutionException failed) {
                assertThat(failed).hasCauseInstanceOf(LockUnavailableException.class);
            } catch (InterruptedException | TimeoutException ended) {
                throw new IllegalStateException(ended);
            }
        }
    }

    void add(LockHandle lock) {
        lock.lost().thenAccept(told -> {
            signalledAt.putIfAbsent(lock.key(), System.nanoTime());
            if (expected.contains(told)) {
                callbacks.merge(lock.key(), 1, Integer::sum);
            } else {
                unexpected.put(lock.key(), told);
            }
        });
        locks.add(lock);
    }

    /** From now on locks are being lost. What a slow machine has lost before does not count. */
    void injected() {
        locks.removeIf(lock -> !lock.isHeld());
        since = System.nanoTime();
    }

    /** Asks the server when it will free each lock, at the earliest. Nothing may be extended meanwhile. */
    void readExpiries(RedisServer server) {
        for (LockHandle lock : locks) {
            long asked = System.nanoTime();
            long left = (Long) server.command("PTTL", redisKey(lock.key()));
            expiresAt.put(lock.key(), asked + TimeUnit.MILLISECONDS.toNanos(left));
        }
    }

    static String redisKey(String key) {
        return "lock:{" + id(key) + "}";
    }

    static String id(String key) {
        return NAME + ":" + key;
    }

    List<String> keys() {
        return locks.stream().map(LockHandle::key).toList();
    }

    /**
     * Every holder is told, once by its callback and once by the listener, and does not believe in its lock any more.
     */
    void assertEachIsToldOnce() {
        await().untilAsserted(() -> assertThat(callbacks.keySet())
                .as("%s; told another reason: %s", cause, unexpected)
                .containsAll(keys()));
        await().untilAsserted(() -> assertThat(events.keySet()).as(cause).containsAll(keys()));
        client.drain(Duration.ofSeconds(1));
        assertThat(callbacks.values()).as("callbacks after " + cause).allMatch(times -> times == 1);
        assertThat(events.values()).as("events after " + cause).allMatch(times -> times == 1);
        assertThat(locks).noneMatch(LockHandle::isHeld);
    }

    /** @param stall for how long this process was held up at worst: no caller can be told anything meanwhile */
    void assertToldBeforeExpiry(Duration stall) {
        assertThat(expiresAt).isNotEmpty();
        for (LockHandle lock : locks) {
            long early = expiresAt.get(lock.key()) - signalledAt.get(lock.key());
            assertThat(Duration.ofNanos(early)).as(cause + ", " + lock).isGreaterThan(stall.negated());
        }
    }

    void assertToldWithin(Duration limit) {
        assertThat(worstDelay()).as(cause).isLessThan(limit);
    }

    private Duration worstDelay() {
        LongStream delays = locks.stream().mapToLong(lock -> signalledAt.get(lock.key()) - since);
        return Duration.ofNanos(delays.max().orElseThrow());
    }

    private OptionalLong least() {
        return locks.stream()
                .map(lock -> Optional.ofNullable(expiresAt.get(lock.key()))
                        .map(expiry -> expiry - signalledAt.get(lock.key())))
                .flatMap(Optional::stream)
                .mapToLong(Long::longValue)
                .min();
    }

    int injections() {
        return locks.size();
    }

    String line() {
        long early = expiresAt.entrySet().stream()
                .filter(each -> each.getValue() - signalledAt.getOrDefault(each.getKey(), Long.MAX_VALUE) > 0)
                .count();
        return "%-34s %8d %9d %13s %11.0f ms %s"
                .formatted(
                        cause,
                        locks.size(),
                        keys().stream().filter(callbacks::containsKey).count(),
                        expiresAt.isEmpty() ? "-" : early,
                        worstDelay().toNanos() / 1e6,
                        least().isEmpty() ? "" : "%7.0f ms".formatted(least().getAsLong() / 1e6));
    }

    @Override
    public void close() {
        client.close();
    }
}
