package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two hundred threads of two clients want one lock. */
class ManyWaitersTest extends FaultTest {

    private static final int WAITERS = 200;
    private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(3);

    private final ExecutorService threads = Executors.newFixedThreadPool(WAITERS);
    private final RecordedEvents events = new RecordedEvents();
    private final List<LockClient> clients = new ArrayList<>();

    @BeforeEach
    void connectTwo() {
        for (int i = 0; i < 2; i++) {
            LockClient made = LockClient.builder(RedisLockStore.of(RedisURI.create(relay.uri())))
                    .commandTimeout(CLIENT_TIMEOUT)
                    .listener(events)
                    .build();
            warmUp(made);
            clients.add(made);
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        clients.forEach(LockClient::close);
    }

    @Test
    void f46NoCallerWaitsLongerThanItsWaitTimeAndTwoCommandTimeouts() throws Exception {
        Duration wait = Duration.ofSeconds(2);
        LockHandle holder = take(patient(server.uri()), LockRequest.of("42"));
        for (Future<?> end : start(this::isToldOfTheOther, wait)) {
            end.get(60, TimeUnit.SECONDS);
        }
        // Listeners are told on a thread of their own, so perhaps after the caller.
        await().until(() -> told().size() >= WAITERS);
        assertThat(told())
                .hasSize(WAITERS)
                .allSatisfy(end -> assertThat(end.waited()).isBetween(wait, wait.plus(CLIENT_TIMEOUT.multipliedBy(2))));
        assertThat(holder.isHeld()).isTrue();
        holder.release();
        assertThat(isInRedis()).isFalse();
        assertThat(clients).allMatch(each -> each.unresolved() == 0);
    }

    private List<LockEvent.NotAcquired> told() {
        return events.all(LockEvent.NotAcquired.class);
    }

    private void isToldOfTheOther(LockClient client, LockRequest request) {
        try {
            client.acquire(request).release();
            throw new AssertionError("two holders");
        } catch (LockNotAcquiredException refused) {
            assertThat(refused).hasMessageContaining("held by another owner");
        }
    }

    @Test
    void f46EverybodyGetsTheLockInTheEndAndNeverTwoAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        List<Future<?>> ends = start(
                (client, request) -> new LockTemplate(client).run(request, lock -> {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    served.incrementAndGet();
                    inside.decrementAndGet();
                }),
                Duration.ofMinutes(3));
        for (Future<?> end : ends) {
            end.get(180, TimeUnit.SECONDS);
        }
        assertThat(served).hasValue(WAITERS);
        assertThat(isInRedis()).isFalse();
        assertThat(clients).allMatch(each -> each.unresolved() == 0);
    }

    /**
     * The load of waiting is the number of waiters over the time that each one sleeps, not over the time that a command
     * takes.
     */
    @Test
    void f46WaitersAskAtABoundedRate() throws ExecutionException, InterruptedException {
        LockHandle holder = take(patient(server.uri()), LockRequest.of("42"));
        long before = calls("evalsha");
        long begin = System.nanoTime();
        for (Future<?> end : start(this::isToldOfTheOther, Duration.ofSeconds(3))) {
            end.get();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        long shortestSleep = Duration.ofMillis(160).dividedBy(2).toMillis();
        long quickFirstTries = 5;
        assertThat(calls("evalsha") - before).isLessThan(WAITERS * (took.toMillis() / shortestSleep + quickFirstTries));
        holder.release();
    }

    private List<Future<?>> start(Call call, Duration wait) {
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            LockClient client = clients.get(i % clients.size());
            ends.add(threads.submit(() -> call.run(client, LockRequest.of("42").withWaitTime(wait))));
        }
        return ends;
    }

    @FunctionalInterface
    private interface Call {

        void run(LockClient client, LockRequest request);
    }
}
