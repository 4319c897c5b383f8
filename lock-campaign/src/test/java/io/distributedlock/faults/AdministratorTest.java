package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client works on the server by hand, or another program uses our keys. */
class AdministratorTest extends FaultTest {

    private final RecordedEvents events = new RecordedEvents();
    private LockClient watched;

    @BeforeEach
    void watch() {
        watched = LockClient.builder(RedisLockStore.of(RedisURI.create(relay.uri())))
                .ttl(TTL.multipliedBy(2))
                .commandTimeout(Duration.ofSeconds(2))
                .listener(events)
                .build();
        warmUp(watched);
    }

    @AfterEach
    void close() {
        watched.close();
    }

    @Test
    void f38ADeletedLockIsToldOnceAtTheNextRenewal() {
        assertThatTheLossIsToldOnceAfter("DEL", KEY);
    }

    @Test
    void f38ALockOnAFlushedServerIsToldOnceAtTheNextRenewal() {
        assertThatTheLossIsToldOnceAfter("FLUSHALL");
    }

    @Test
    void f38ALockThatWasGivenToAnotherOwnerIsToldOnceAndLeftAlone() {
        assertThatTheLossIsToldOnceAfter("SET", KEY, "another-client");
        assertThat(server.command("GET", KEY)).isEqualTo("another-client");
    }

    private void assertThatTheLossIsToldOnceAfter(String... command) {
        LockHandle lock = watched.acquire("42");
        server.command(command);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        assertReleaseFails(lock, LossReason.NOT_OWNER);
        assertThat(lock.isHeld()).isFalse();
        awaitReleasesAfterwards();
        assertThat(events.all(LockEvent.Lost.class)).hasSize(1);
        assertThat(watched.unresolved()).isZero();
    }

    @Test
    void f38ALockThatWasDeletedIsToldAtItsReleaseIfThatComesFirst() {
        LockHandle lock = watched.acquire(LockRequest.of("42").withTtl(TWO_HOURS));
        server.command("DEL", KEY);
        assertReleaseFails(lock, LossReason.ABSENT);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.ABSENT);
        awaitReleasesAfterwards();
        assertThat(events.all(LockEvent.Lost.class)).hasSize(1);
    }

    @Test
    void f38ALockThatWasGivenAwayIsReportedAsAnotherOwnersAtItsRelease() {
        LockHandle lock = watched.acquire(LockRequest.of("42").withTtl(TWO_HOURS));
        server.command("SET", KEY, "another-owner");
        assertReleaseFails(lock, LossReason.NOT_OWNER);
        assertThat(server.command("GET", KEY)).isEqualTo("another-owner");
    }

    @Test
    void f38WorkWhoseLockWasDeletedFailsAlthoughItSucceeded() {
        assertThatThrownBy(() -> new LockTemplate(watched).run("42", lock -> server.command("DEL", KEY)))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("42");
    }

    private static void assertReleaseFails(LockHandle lock, LossReason reason) {
        assertThatThrownBy(lock::release)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        told -> assertThat(told.reason()).isEqualTo(reason));
    }

    /** Events are told in order, so whatever was told before this lock's has been told by now. */
    private void awaitReleasesAfterwards() {
        watched.acquire("afterwards").release();
        await().until(() -> events.all(LockEvent.Released.class).stream()
                .anyMatch(released -> released.name().equals("afterwards")));
    }

    @Test
    void f39AServerThatForgetsItsScriptsAllTheTimeIsNotNoticedByAnybody() {
        LockHandle held = watched.acquire("held");
        LockTemplate template = new LockTemplate(watched);
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<?>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(CompletableFuture.runAsync(() -> cycles(template, inside), AdministratorTest::startDaemon));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new));
        while (!all.isDone() || calls("pexpire") < 3) {
            server.command("SCRIPT", "FLUSH");
        }
        all.join();
        assertThat(held.isHeld()).isTrue();
        held.release();
        assertThat(events.all(LockEvent.RenewalFailed.class)).isEmpty();
        assertThat(events.all(LockEvent.NotAcquired.class)).isEmpty();
        assertThat(events.all(LockEvent.Lost.class)).isEmpty();
        assertThat(server.command("KEYS", "lock:{*")).isEqualTo(List.of());
    }

    private static void startDaemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private static void cycles(LockTemplate template, AtomicInteger inside) {
        for (int n = 0; n < 50; n++) {
            template.run(LockRequest.of("42").withWaitTime(Duration.ofMinutes(1)), lock -> {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
            });
        }
    }

    @Test
    void f40AKeyOfAnotherTypeIsAnErrorAndNotAnotherHolder() {
        server.command("HSET", KEY, "field", "value");
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> watched.acquire(once("42").withFencing()));
        assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(told).hasMessageContaining("WRONGTYPE");
        assertThat(server.command("HGET", KEY, "field")).isEqualTo("value");
        server.command("DEL", KEY);
        take("42").release();
    }

    @Test
    void f40ACounterOfAnotherTypeIsAnErrorThatLeavesNoLockBehind() {
        server.command("DEL", "lock:fence");
        server.command("HSET", "lock:fence", "field", "value");
        assertTheCounterIsRefused();
    }

    @Test
    void f40ACounterThatHoldsNoTokenIsAnErrorThatLeavesNoLockBehind() {
        for (String value : List.of("", "soon", "nan", "inf", "9007199254740993", "1e300")) {
            server.command("SET", "lock:fence", value);
            assertTheCounterIsRefused();
        }
    }

    private void assertTheCounterIsRefused() {
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> watched.acquire(once("42").withFencing()));
        assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(told).hasMessageContaining("WRONGTYPE");
        assertThat(isInRedis()).isFalse();
        assertThat(watched.unresolved()).isZero();
    }

    @Test
    void f40AHolderIsNotHarmedByACounterThatHoldsNoToken() {
        LockHandle lock = watched.acquire("42");
        server.command("SET", "lock:fence", "soon");
        long renewals = calls("pexpire");
        await().until(() -> calls("pexpire") >= renewals + 2);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        assertThat(events.all(LockEvent.RenewalFailed.class)).isEmpty();
    }

    @Test
    void f40AHolderWhoseKeyWasOverwrittenByAnotherTypeIsToldAndTheKeyLeftAlone() {
        LockHandle lock = watched.acquire("42");
        overwrite();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        assertReleaseFails(lock, LossReason.NOT_OWNER);
        assertThat(server.command("HGET", KEY, "field")).isEqualTo("value");
        assertThat(watched.unresolved()).isZero();
    }

    @Test
    void f40AHolderWhoseKeyWasOverwrittenByAnotherTypeIsToldAtItsReleaseIfThatComesFirst() {
        LockHandle lock = watched.acquire(LockRequest.of("42").withTtl(TWO_HOURS));
        overwrite();
        assertReleaseFails(lock, LossReason.NOT_OWNER);
        assertThat(server.command("HGET", KEY, "field")).isEqualTo("value");
        assertThat(watched.unresolved()).isZero();
    }

    private void overwrite() {
        server.command("DEL", KEY);
        server.command("HSET", KEY, "field", "value");
    }

    @Test
    void f40AKeyWithoutExpiryIsAHolderWhoseLeaseDoesNotEndAndIsNotAskedForAllTheTime() {
        server.command("SET", KEY, "another-client");
        long before = calls("evalsha");
        Duration wait = Duration.ofSeconds(1);
        assertThat(watched.tryAcquire(LockRequest.of("42").withWaitTime(wait))).isEmpty();
        assertThat(calls("evalsha") - before).isLessThan(20);
    }
}
