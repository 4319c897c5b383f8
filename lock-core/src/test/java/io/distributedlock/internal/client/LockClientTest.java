package io.distributedlock.internal.client;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockOptions;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LockClientTest {

    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Bench bench = new Bench();

    @Test
    void withoutSettingsALockIsWaitedForFiveSecondsAndRenewedEveryThirtySeconds() {
        LockClient client =
                new DefaultLockClientBuilder(bench.store).timeline(bench.time).build();
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        CompletableFuture<LockHandle> call = client.acquireAsync(LockRequest.of("42"));
        assertThat(bench.store.calls().get(0).ttl()).isEqualTo(Duration.ofSeconds(30));
        bench.advanceMillis(4_999);
        assertThat(call).isNotDone();
        bench.advanceMillis(1);
        await().until(call::isCompletedExceptionally);
        assertThat(failure(LockNotAcquiredException.class, call)).hasMessageContaining("in 5000 ms");
    }

    @Test
    void withoutSettingsACommandMayTakeASecond() {
        LockClient client = new DefaultLockClientBuilder(bench.store)
                .timeline(bench.time)
                .waitTime(Duration.ZERO)
                .build();
        CompletableFuture<LockHandle> call = client.acquireAsync(LockRequest.of("42"));
        bench.advanceMillis(999 + 50);
        assertThat(bench.store.calls().get(0).isAnswered()).isFalse();
        bench.advanceMillis(1);
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(2);
        assertThat(call).isNotDone();
    }

    @Test
    void aLockIsAcquiredByItsNameAlone() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        LockHandle lock = bench.client.acquire("42");
        assertThat(lock.name()).isEqualTo("42");
        assertThat(bench.client.tryAcquire("43"))
                .hasValueSatisfying(other -> assertThat(other.name()).isEqualTo("43"));
        assertThat(bench.client.held()).hasSize(2);
    }

    @Test
    void tryingGivesNothingWhereAcquiringThrowsARefusal() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        LockRequest once = LockRequest.of("42").withWaitTime(Duration.ZERO);
        assertThat(bench.client.tryAcquire(once)).isEmpty();
        assertThatThrownBy(() -> bench.client.acquire(once)).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void tryingWaitsOnlyIfTheRequestSaysSo() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        assertThat(bench.client.tryAcquire("42")).isEmpty();
        CompletableFuture<Optional<LockHandle>> patient = CompletableFuture.supplyAsync(
                () -> bench.client.tryAcquire(LockRequest.of("42").withWaitTime(Duration.ofMillis(100))));
        await().until(() -> bench.store.calls(Verb.ACQUIRE).size() >= 2);
        assertThat(patient).isNotDone();
        await().until(() -> {
            bench.advanceMillis(100);
            return patient.isDone();
        });
        assertThat(patient.join()).isEmpty();
    }

    @Test
    void tryingThrowsWhereNothingIsKnown() {
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.REFUSED));
        LockRequest once = LockRequest.of("42").withWaitTime(Duration.ZERO);
        assertThatThrownBy(() -> bench.client.tryAcquire(once)).isInstanceOf(LockUnavailableException.class);
    }

    @Test
    void aBlockedCallHasItsOwnStackInTheException() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        assertThatThrownBy(() -> bench.client.acquire(LockRequest.of("42").withWaitTime(Duration.ZERO)))
                .satisfies(thrown -> assertThat(thrown.getStackTrace())
                        .extracting(StackTraceElement::getClassName)
                        .contains(LockClientTest.class.getName()));
    }

    @Test
    void whatIsHeldIsListedUntilItIsOver() {
        LockHandle first = bench.held();
        LockHandle second = bench.held(LockRequest.of("other"));
        assertThat(bench.client.held()).containsExactlyInAnyOrder(first, second);
        first.releaseAsync();
        assertThat(bench.client.held()).containsExactly(second);
    }

    @Test
    void callersFuturesCompleteOnThreadsOfTheClientAndNeverOnTheStores() throws InterruptedException {
        LockClient client =
                new DefaultLockClientBuilder(bench.store).timeline(bench.time).build();
        CompletableFuture<LockHandle> acquired = client.acquireAsync(LockRequest.of("42"));
        CompletableFuture<String> atGrant = acquired.thenApply(LockClientTest::currentThread);
        inTheStoresThread(() -> bench.acquire().grants(7));
        await().until(() -> acquired.isDone() && atGrant.isDone());
        CompletableFuture<Boolean> extension = now(acquired).extendAsync(Bench.TTL);
        CompletableFuture<String> atExtension = extension.thenApply(LockClientTest::currentThread);
        inTheStoresThread(() -> bench.extend().confirms());
        CompletableFuture<Void> release = now(acquired).releaseAsync();
        CompletableFuture<String> atRelease = release.thenApply(LockClientTest::currentThread);
        inTheStoresThread(() -> bench.release().frees());
        assertThat(atGrant).succeedsWithin(LONG).isEqualTo("distributed-lock-completions");
        assertThat(atExtension).succeedsWithin(LONG).isEqualTo("distributed-lock-completions");
        assertThat(atRelease).succeedsWithin(LONG).isEqualTo("distributed-lock-completions");
    }

    @Test
    void aHolderIsToldOfItsLossOnAThreadOfTheClient() throws InterruptedException {
        LockClient client =
                new DefaultLockClientBuilder(bench.store).timeline(bench.time).build();
        CompletableFuture<LockHandle> acquired = client.acquireAsync(LockRequest.of("42"));
        bench.acquire().grants(7);
        await().until(acquired::isDone);
        CompletableFuture<String> atLoss =
                now(acquired).lost().thenApply(LockClientTest::currentThread).toCompletableFuture();
        bench.advance(Bench.TTL.dividedBy(3));
        inTheStoresThread(() -> bench.extend().denies());
        assertThat(atLoss).succeedsWithin(LONG).asString().startsWith("distributed-lock-");
    }

    private static String currentThread(Object ignored) {
        return Thread.currentThread().getName();
    }

    private static void inTheStoresThread(Runnable answer) throws InterruptedException {
        Thread store = new Thread(answer, "store");
        store.start();
        store.join();
    }

    @Test
    void anExecutorThatRefusesWorkKeepsNoCallerWaiting() {
        LockClient client = bench.settings()
                .executor(task -> {
                    throw new java.util.concurrent.RejectedExecutionException("shut down");
                })
                .build();
        CompletableFuture<LockHandle> call = client.acquireAsync(LockRequest.of("42"));
        bench.acquire().grants(7);
        assertThat(call).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    /** A first call without a wait time waits for its connection for one command timeout. */
    private void assertCommandTimeout(Duration expected, LockClientBuilder settings) {
        bench.store.readyWhen(new CompletableFuture<>());
        CompletableFuture<LockHandle> call =
                settings.build().acquireAsync(LockRequest.of("42").withWaitTime(Duration.ZERO));
        bench.advance(expected.minusMillis(1));
        assertThat(call).isNotDone();
        bench.advanceMillis(1);
        assertThat(call).isCompletedExceptionally();
    }

    @Test
    void aCommandIsWaitedForAsLongAsTheConnectionsOfItsStoreWait() {
        bench.store.commandTimeout(Duration.ofMillis(300));
        assertCommandTimeout(
                Duration.ofMillis(300),
                new DefaultLockClientBuilder(bench.store).timeline(bench.time).executor(Runnable::run));
    }

    @Test
    void aClientCanHaveACommandTimeoutOfItsOwn() {
        bench.store.commandTimeout(Duration.ofMillis(300));
        assertCommandTimeout(Duration.ofMillis(200), bench.settings().commandTimeout(Duration.ofMillis(200)));
    }

    @Test
    void aCommandTimeoutIsAThirdOfTheTtlAtMost() {
        assertCommandTimeout(
                Duration.ofSeconds(1),
                bench.settings().ttl(Duration.ofSeconds(3)).commandTimeout(Duration.ofSeconds(5)));
    }

    @Test
    void settingsOutsideTheirLimitsAreRefused() {
        LockClientBuilder builder = bench.settings();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.commandTimeout(Duration.ofMillis(9)))
                .withMessageContaining("at least 10ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.ttl(Duration.ofMillis(49)))
                .withMessageContaining("from 50ms to 365d");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.waitTime(Duration.ofMillis(-1)))
                .withMessageContaining("from 0 (one try) to 365d");
    }

    @Test
    void theTightestSettingsAreAllowed() {
        LockClient client = bench.settings()
                .ttl(LockOptions.MIN_TTL)
                .commandTimeout(Duration.ofMillis(16))
                .waitTime(LockOptions.MAX_DURATION)
                .build();
        CompletableFuture<LockHandle> call = client.acquireAsync(LockRequest.of("42"));
        bench.acquire().grants(7);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofSeconds(2));
        assertThat(now(call).isHeld()).isTrue();
        assertThat(Optional.of(bench.store.calls(Verb.EXTEND).size()))
                .hasValueSatisfying(renewals -> assertThat(renewals).isBetween(115, 140));
    }
}
