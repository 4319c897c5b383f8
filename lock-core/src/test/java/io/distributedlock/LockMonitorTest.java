package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client says about locks, its own and those of others, and about itself; and how it takes one away. */
@Timeout(60)
class LockMonitorTest {

    private static final Duration THIRD = Bench.TTL.dividedBy(3);
    private static final StoredLock OF_ANOTHER = new StoredLock("another owner", Duration.ofSeconds(3), 2);

    private final Bench bench = new Bench();
    private final LockMonitor monitor = bench.client.monitor();

    @Test
    void theOldestLocksAreListedFirstWithoutWhatWouldReleaseThem() {
        LockHandle first = bench.held(LockRequest.of("orders", "a b"));
        String owner = lastCall().claim().owner();
        bench.advance(Duration.ofSeconds(3));
        LockHandle second = bench.held(LockRequest.of("orders", "2"));
        List<LockReport.Held> held = monitor.held(10);
        assertThat(held).extracting(LockReport.Held::id).containsExactly("orders:a%20b", "orders:2");
        LockReport.Held oldest = held.get(0);
        assertThat(oldest.name()).isEqualTo("orders");
        assertThat(oldest.age()).isEqualTo(Duration.ofSeconds(3));
        assertThat(oldest.remaining()).isEqualTo(first.remaining().truncatedTo(ChronoUnit.MILLIS));
        assertThat(oldest.state()).isEqualTo(LockState.HELD);
        assertThat(oldest.owner()).hasSize(8).isNotEqualTo(held.get(1).owner());
        assertThat(held.toString()).doesNotContain(owner);
        assertThat(monitor.held(1)).hasSize(1);
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void theThreadThatWaitedForALockIsNamed() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        LockHandle lock = bench.client.acquire("42");
        assertThat(monitor.held(10))
                .extracting(LockReport.Held::thread)
                .containsExactly(Thread.currentThread().getName());
        lock.unbind();
        assertThat(monitor.held(10)).extracting(LockReport.Held::thread).containsOnlyNulls();
    }

    @Test
    void requestsAreListedUntilTheyAreAnswered() {
        CompletableFuture<LockHandle> waiting = bench.client.acquireAsync(LockRequest.of("orders", "1"));
        bench.advanceMillis(20);
        assertThat(monitor.awaited(10))
                .containsExactly(new LockReport.Awaited("orders:1", "orders", Duration.ofMillis(20)));
        bench.acquire().grants(7);
        bench.now(waiting);
        assertThat(monitor.awaited(10)).isEmpty();
    }

    @Test
    void theStoreIsAskedWhoHoldsALock() {
        assertThat(over(Optional.of(OF_ANOTHER)).find("orders:1")).hasValueSatisfying(lock -> {
            assertThat(lock.id()).isEqualTo("orders:1");
            assertThat(lock.remaining()).hasSeconds(3);
            assertThat(lock.waiting()).isEqualTo(2);
            assertThat(lock.heldHere()).isFalse();
            assertThat(lock.toString()).doesNotContain("another owner");
        });
        assertThat(over(Optional.empty()).find("orders:1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ":1", "orders:"})
    void whatIsNoIdIsRefusedBeforeTheStoreIsAsked(String id) {
        LockMonitor other = over(Optional.of(OF_ANOTHER));
        assertThatIllegalArgumentException().isThrownBy(() -> other.find(id)).withMessageContaining("no id of a lock");
        assertThatIllegalArgumentException().isThrownBy(() -> other.forceRelease(id));
        assertThat(bench.store.calls()).isEmpty();
    }

    @Test
    void aStoreThatCanNotTellSaysSo() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> monitor.find("orders:1"));
    }

    @Test
    void aStoreThatGivesNoAnswerIsUnavailable() {
        LockMonitor other = over(CompletableFuture.failedFuture(StoreException.notSent("away", null)));
        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> other.find("orders:1"))
                .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(Outcome.UNAVAILABLE))
                .withMessageContaining("orders:1")
                .withMessageContaining("away");
        assertThat(other.health().isHealthy()).isFalse();
        assertThat(other.health().problem()).contains("away");
        assertThat(other.health().roundTrip()).isNull();
    }

    @Test
    void aLockOfAnotherProcessIsReleasedByTheOwnerThatTheStoreNames() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        assertThat(over(Optional.of(OF_ANOTHER)).forceRelease("orders:1")).isPresent();
        assertThat(lastCall().verb()).isEqualTo(Verb.RELEASE);
        assertThat(lastCall().claim().owner()).isEqualTo("another owner");
        assertThat(lastCall().claim().id()).isEqualTo("orders:1");
    }

    @Test
    void aLockThatPassedToAnotherOwnerMeanwhileIsNotTakenAway() {
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        assertThat(over(Optional.of(OF_ANOTHER)).forceRelease("orders:1")).isEmpty();
    }

    @Test
    void aFreeLockIsNotReleased() {
        assertThat(over(Optional.empty()).forceRelease("orders:1")).isEmpty();
        assertThat(bench.store.calls()).isEmpty();
    }

    @Test
    void aHolderInThisProcessIsToldAtOnceThatItsLockWasTakenAway() {
        CompletableFuture<Optional<StoredLock>> answer = new CompletableFuture<>();
        LockClient client = client(answer);
        CompletableFuture<LockHandle> acquired = client.acquireAsync(LockRequest.of("orders", "1"));
        bench.acquire().grants(7);
        LockHandle lock = bench.now(acquired);
        answer.complete(Optional.of(new StoredLock(lastCall().claim().owner(), Bench.TTL, 0)));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        assertThat(client.monitor().forceRelease("orders:1"))
                .hasValueSatisfying(taken -> assertThat(taken.heldHere()).isTrue());
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.lost()).isCompletedWithValue(LossReason.FORCED);
    }

    @Test
    void aLockThatIsOpenForTheNextCallerHereIsTakenAwayFromThatCallerToo() {
        CompletableFuture<Optional<StoredLock>> answer = new CompletableFuture<>();
        LockClient client = client(answer);
        CompletableFuture<LockHandle> first = client.acquireAsync(LockRequest.of("orders", "1"));
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = client.acquireAsync(LockRequest.of("orders", "1"));
        answer.complete(Optional.of(new StoredLock(lastCall().claim().owner(), Bench.TTL, 0)));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.now(first).release();
        assertThat(client.monitor().forceRelease("orders:1")).isPresent();
        bench.time.runDue();
        assertThat(second).isNotDone();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aClientIsHealthyWhileItsStoreAnswersAndItsRenewalsAreInTime() {
        LockHandle lock = bench.held();
        LockMonitor.Health health = monitor.health();
        assertThat(health.isHealthy()).isTrue();
        assertThat(health.roundTrip()).isNotNull();
        assertThat(health.statistics().totalHeld()).isEqualTo(1);
        bench.time.pause(THIRD.plus(Bench.TTL.dividedBy(6)));
        assertThat(monitor.health().isHealthy()).isFalse();
        assertThat(monitor.health().problem()).contains("late", "ttl of 30000 ms allows for 5000 ms");
        bench.time.runDue();
        bench.extend().confirms();
        assertThat(lock.isHeld()).isTrue();
        assertThat(monitor.health().isHealthy()).isTrue();
    }

    private ScriptedCall lastCall() {
        List<ScriptedCall> calls = bench.store.calls();
        return calls.get(calls.size() - 1);
    }

    private LockMonitor over(Optional<StoredLock> stored) {
        return over(CompletableFuture.completedFuture(stored));
    }

    private LockMonitor over(CompletableFuture<Optional<StoredLock>> answer) {
        return client(answer).monitor();
    }

    private LockClient client(CompletableFuture<Optional<StoredLock>> answer) {
        return new DefaultLockClientBuilder(new FindableStore(bench.store, answer))
                .ttl(Bench.TTL)
                .timeline(bench.time)
                .executor(Runnable::run)
                .signals(Runnable::run)
                .build();
    }
}
