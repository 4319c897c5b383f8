package io.distributedlock;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockEvent.Acquired;
import io.distributedlock.LockEvent.Lost;
import io.distributedlock.LockEvent.NotAcquired;
import io.distributedlock.LockEvent.Released;
import io.distributedlock.LockEvent.RenewalFailed;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What listeners are told: one event for each outcome, and one end for each grant. */
class LockEventsTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");
    private static final LockRequest SHORT = WANTED.withTtl(Duration.ofSeconds(3));
    private static final Duration SAFE_SHORT = Duration.ofMillis(3_000 - 32 - 100);

    private final Bench bench = new Bench();

    /** Sends one more event through the same queue, so that whatever was told before it has arrived. */
    private void assertToldInAll(int events) {
        CompletableFuture<LockHandle> marker = bench.client.acquireAsync(LockRequest.of("marker"));
        assertThat(marker.cancel(false)).isTrue();
        await().until(() -> bench.events.stream().anyMatch(event -> event.name().equals("marker")));
        assertThat(bench.events).hasSize(events + 1).last().isInstanceOf(NotAcquired.class);
    }

    private <E extends LockEvent> E event(Class<E> type, int number) {
        await().until(() -> bench.events.size() > number);
        assertThat(bench.events.get(number)).isInstanceOf(type);
        assertThat(bench.events.get(number).name()).isEqualTo("orders");
        assertThat(bench.events.get(number).key()).isEqualTo("42");
        return type.cast(bench.events.get(number));
    }

    @Test
    void aLockThatIsAcquiredAndReleased() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED);
        bench.acquire().refuses(Duration.ofSeconds(20));
        bench.advance(Bench.POLL);
        bench.acquire().grants(7);
        bench.advanceMillis(400);
        now(lock).releaseAsync();
        bench.advanceMillis(50);
        bench.release().frees();
        assertThat(event(Acquired.class, 0))
                .isEqualTo(new Acquired("orders", "42", LockMode.EXCLUSIVE, 7L << 10, Bench.POLL, true));
        assertThat(event(Released.class, 1)).isEqualTo(new Released("orders", "42", Duration.ofMillis(450), true));
        assertToldInAll(2);
    }

    @Test
    void aGrantTellsWhetherAnotherOwnerHadTheLockFirst() {
        bench.held();
        CompletableFuture<LockHandle> second = bench.client.acquireAsync(LockRequest.of("43"));
        bench.acquire().refuses(Duration.ofSeconds(1));
        bench.advance(Bench.POLL);
        bench.acquire().grants(8);
        now(second);
        await().until(() -> bench.events.size() == 2);
        assertThat(bench.events)
                .map(Acquired.class::cast)
                .extracting(Acquired::contended)
                .containsExactly(false, true);
    }

    @Test
    void aReleaseThatIsNotConfirmed() {
        bench.held(WANTED).releaseAsync();
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(event(Released.class, 1).confirmed()).isFalse();
        bench.release().freesNothing();
        assertToldInAll(2);
    }

    @Test
    void aRefusal() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        bench.advanceMillis(300);
        bench.acquire().refuses(Duration.ofSeconds(20));
        NotAcquired told = event(NotAcquired.class, 0);
        assertThat(told.reason()).isInstanceOf(LockNotAcquiredException.class);
        assertThat(told.waited()).isEqualTo(Duration.ofMillis(300));
        assertThat(lock).isCompletedExceptionally();
        assertToldInAll(1);
    }

    @Test
    void anAcquisitionOfUnknownOutcomeAndOneThatIsLeft() {
        CompletableFuture<LockHandle> unknown = bench.client.acquireAsync(WANTED);
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(event(NotAcquired.class, 0).reason()).isInstanceOf(LockUnavailableException.class);
        CompletableFuture<LockHandle> left = bench.client.acquireAsync(WANTED);
        assertThat(left.cancel(false)).isTrue();
        assertThat(event(NotAcquired.class, 1).reason()).isInstanceOf(LockInterruptedException.class);
        assertThat(unknown).isCompletedExceptionally();
    }

    @Test
    void aLossByTheClock() {
        LockHandle lock = bench.held(SHORT);
        bench.advance(SAFE_SHORT);
        assertThat(event(Lost.class, 1)).isEqualTo(new Lost("orders", "42", LossReason.DEADLINE, SAFE_SHORT));
        CompletableFuture<Void> released = lock.releaseAsync();
        assertThat(released).isCompletedExceptionally();
        assertToldInAll(2);
    }

    @Test
    void aLossThatIsFoundOutAtTheReleaseIsALossAndNoRelease() {
        bench.held(WANTED).releaseAsync();
        bench.release().freesNothing();
        assertThat(event(Lost.class, 1).reason()).isEqualTo(LossReason.NOT_OWNER);
        assertToldInAll(2);
    }

    @Test
    void aReleaseThatFindsNoHolderAtAllSaysSo() {
        CompletableFuture<Void> released = bench.held(WANTED).releaseAsync();
        bench.release().releases(new Release(Release.Outcome.ABSENT, true));
        assertThat(event(Lost.class, 1).reason()).isEqualTo(LossReason.ABSENT);
        assertThat(released)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("no other owner held it");
        assertToldInAll(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndOfATurnIsToldBeforeTheBeginningOfTheNext(boolean barging) {
        LockClient client = bench.settings().barging(barging).build();
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        Bench.now(first).release();
        bench.advance(Duration.ZERO);
        assertThat(second).isCompleted();
        event(Acquired.class, 0);
        event(Released.class, 1);
        event(Acquired.class, 2);
    }

    @Test
    void aLossThatComesWithTheGrantIsToldAfterIt() {
        bench.store.always(Verb.EXTEND, ScriptedCall::denies);
        LockHandle lock = bench.held(WANTED.withTtl(Duration.ofHours(2)));
        bench.advanceMillis(2_000);
        assertThat(lock.isHeld()).isFalse();
        assertThat(event(Acquired.class, 0).fencingToken()).isEqualTo(lock.fencingToken());
        assertThat(event(Lost.class, 1).reason()).isEqualTo(LossReason.NOT_OWNER);
        assertToldInAll(2);
    }

    @Test
    void aSeriesOfFailedRenewalsIsToldOnceAndTheNextSeriesAgain() {
        bench.held(WANTED);
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.REFUSED));
        bench.advance(Duration.ofSeconds(20));
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofSeconds(2));
        RenewalFailed first = event(RenewalFailed.class, 1);
        assertThat(first.remaining()).isBetween(Duration.ofSeconds(19), Duration.ofSeconds(21));
        assertThat(first.cause()).hasMessage("scripted");
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.UNKNOWN));
        bench.advance(Duration.ofSeconds(20));
        event(RenewalFailed.class, 2);
        assertToldInAll(3);
    }

    @Test
    void listenersThatThrowOrBlockAffectNoLock() {
        CountDownLatch end = new CountDownLatch(1);
        LockClient client = bench.settings()
                .listener(event -> {
                    throw new IllegalStateException("listener");
                })
                .listener(event -> {
                    try {
                        end.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                })
                .build();
        CompletableFuture<LockHandle> lock = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofMinutes(5));
        assertThat(now(lock).isHeld()).isTrue();
        CompletableFuture<Void> released = now(lock).releaseAsync();
        bench.release().frees();
        assertThat(released).isCompleted();
        end.countDown();
    }
}
