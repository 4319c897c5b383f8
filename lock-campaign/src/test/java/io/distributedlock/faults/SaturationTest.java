package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The application has no thread left for callbacks, and holds very many locks. */
class SaturationTest extends FaultTest {

    private static final int LOCKS = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(9);

    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService stuck = Executors.newFixedThreadPool(2);
    private final RecordedEvents events = new RecordedEvents();
    private LockClient saturated;

    @BeforeEach
    void saturate() {
        for (int i = 0; i < 2; i++) {
            stuck.execute(this::block);
        }
        saturated = LockClient.builder(RedisLockStore.of(RedisURI.create(relay.uri())))
                .ttl(LEASE)
                .commandTimeout(LEASE.dividedBy(3))
                .executor(stuck)
                .listener(events)
                .build();
        await().ignoreExceptions().until(() -> {
            saturated.acquire("warm-up").release();
            return true;
        });
    }

    private void block() {
        try {
            end.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        end.countDown();
        saturated.close();
        stuck.shutdownNow();
    }

    @Tag("long")
    @Test
    void f45AThousandLocksAreRenewedAndReleasedWithoutAnyThreadOfTheApplication() {
        List<LockHandle> locks = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            locks.add(saturated.acquire("many-" + i));
        }
        long renewals = calls("pexpire");
        await().until(() -> calls("pexpire") >= renewals + 3 * LOCKS);
        assertThat(locks).allMatch(LockHandle::isHeld);
        assertThat(events.all(LockEvent.Lost.class)).isEmpty();
        locks.forEach(LockHandle::release);
        assertThat(server.command("KEYS", "lock:{*")).isEqualTo(List.of());
        assertThat(saturated.unresolved()).isZero();
    }

    /** One lock among many has lost its key: the renewals of the others don't fail with it. */
    @Tag("long")
    @Test
    void f45OneBadKeyAmongManyCostsNoOtherLock() {
        List<LockHandle> locks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            locks.add(saturated.acquire("many-" + i));
        }
        server.command("DEL", "lock:{many-50}");
        server.command("HSET", "lock:{many-50}", "field", "value");
        long renewals = calls("pexpire");
        await().until(() -> calls("pexpire") >= renewals + 250);
        await().until(() -> !events.all(LockEvent.Lost.class).isEmpty());
        LockHandle bad = locks.remove(50);
        assertThat(bad.isHeld()).isFalse();
        assertThat(locks).allMatch(LockHandle::isHeld);
        locks.forEach(LockHandle::release);
    }

    @Test
    void f45AHolderIsToldOfItsLossWithoutAnyThreadOfTheApplication() {
        LockHandle lock = saturated.acquire("42");
        CompletableFuture<LossReason> told = lost(lock);
        server.command("DEL", KEY);
        assertThat(told).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(LossReason.NOT_OWNER);
        assertThat(lock.isHeld()).isFalse();
        await().until(() -> events.all(LockEvent.Lost.class).size() == 1);
    }

    private static CompletableFuture<LossReason> lost(LockHandle lock) {
        return lock.lost().toCompletableFuture();
    }

    @Test
    void f45FuturesCompleteWhenTheApplicationHasAThreadAgain() {
        CompletableFuture<LockHandle> caller = saturated.acquireAsync(LockRequest.of("42"));
        await().until(this::isInRedis);
        assertThat(caller).isNotDone();
        end.countDown();
        caller.orTimeout(20, TimeUnit.SECONDS).join().release();
        assertThat(isInRedis()).isFalse();
    }
}
