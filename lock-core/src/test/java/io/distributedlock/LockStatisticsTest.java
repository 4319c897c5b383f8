package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The figures of a client: what it holds and awaits, how its renewals went, and how unknown outcomes were resolved. */
@Timeout(60)
class LockStatisticsTest {

    private static final Duration THIRD = Bench.TTL.dividedBy(3);

    private final Bench bench = new Bench();
    private final LockMonitor monitor = bench.client.monitor();

    @Test
    void anIdleClientHasNoFigures() {
        LockStatistics statistics = monitor.statistics();
        assertThat(statistics.totalHeld()).isZero();
        assertThat(statistics.totalWaiting()).isZero();
        assertThat(statistics.unresolved()).isZero();
        assertThat(statistics.renewals()).isZero();
        assertThat(statistics.renewalLag()).isZero();
        assertThat(statistics.droppedEvents()).isZero();
        assertThat(statistics.ambiguities()).containsOnlyKeys(Ambiguity.values());
    }

    @Test
    void whatIsHeldAndAwaitedIsCountedByName() {
        LockHandle first = bench.held(LockRequest.of("orders", "1"));
        LockHandle second = bench.held(LockRequest.of("orders", "2"));
        CompletableFuture<LockHandle> waiting = bench.client.acquireAsync(LockRequest.of("reports", "1"));
        assertThat(monitor.statistics().held()).containsOnly(Map.entry("orders", 2));
        assertThat(monitor.statistics().waiting()).containsOnly(Map.entry("reports", 1));
        bench.acquire().grants(8);
        assertThat(List.of(first, second, bench.now(waiting))).allMatch(LockHandle::isHeld);
        assertThat(monitor.statistics().totalHeld()).isEqualTo(3);
        assertThat(monitor.statistics().totalWaiting()).isZero();
    }

    @Test
    void renewalsAreCountedWithTheirFailures() {
        LockHandle lock = bench.held();
        bench.advance(THIRD);
        bench.extend().confirms();
        bench.advance(THIRD);
        bench.extend().fails(Effect.NOT_SENT);
        assertThat(lock.isHeld()).isTrue();
        assertThat(monitor.statistics().renewals()).isEqualTo(1);
        assertThat(monitor.statistics().failedRenewals()).isEqualTo(1);
    }

    @Test
    void aRenewalThatCameLateIsRemembered() {
        LockHandle lock = bench.held();
        bench.time.pause(THIRD.plusSeconds(2));
        bench.time.runDue();
        assertThat(lock.isHeld()).isTrue();
        assertThat(monitor.statistics().renewalLag()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void aLockThatAskingAgainShowedToBeOursIsCounted() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(LockRequest.of("42"));
        bench.acquire().fails(Effect.UNKNOWN);
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().grantsAgain(7, Bench.TTL);
        assertThat(bench.now(lock).isHeld()).isTrue();
        assertThat(monitor.statistics().resolved(Ambiguity.GRANTED)).isEqualTo(1);
    }

    @Test
    void aClaimThatIsTakenBackIsCountedOnceTheStoreHasConfirmedIt() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(LockRequest.of("42"));
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.UNKNOWN));
        bench.acquire().fails(Effect.UNKNOWN);
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(lock).isCompletedExceptionally();
        assertThat(monitor.statistics().unresolved()).isEqualTo(1);
        assertThat(monitor.statistics().resolved(Ambiguity.CLEANED)).isZero();
        bench.release().freesNothing();
        assertThat(monitor.statistics().unresolved()).isZero();
        assertThat(monitor.statistics().resolved(Ambiguity.CLEANED)).isEqualTo(1);
        assertThat(monitor.statistics().resolved(Ambiguity.GRANTED)).isZero();
    }
}
