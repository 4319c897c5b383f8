package io.distributedlock.internal.policy;

import static io.distributedlock.Bench.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.distributedlock.AdaptiveTtl;
import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockClientBuilder;
import io.distributedlock.LockHandle;
import io.distributedlock.LockPolicy;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.TtlPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiers of locks: which one counts for a request, and what it decides. */
class LockPoliciesTest {

    private static final LockPolicy MEMORY =
            LockPolicy.of(TtlPolicy.fixed(Duration.ofMillis(500))).withoutRenewal();
    private static final LockPolicy DATABASE = LockPolicy.of(TtlPolicy.fixed(Duration.ofSeconds(2)))
            .withWaitTime(Duration.ofSeconds(3))
            .withMaxHold(Duration.ofMinutes(1));
    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    private final Bench bench = new Bench();
    private final List<LockHandle> handles = new ArrayList<>();

    @BeforeEach
    void theStoreConfirmsEverything() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    private LockClientBuilder tiers() {
        return bench.settings().policy("memory", MEMORY).policy("database", DATABASE);
    }

    private LockHandle held(LockClient client, LockRequest request) {
        LockHandle lock = Bench.now(client.acquireAsync(request));
        handles.add(lock);
        return lock;
    }

    /** The lease that the latest request asked the store for. */
    private Duration asked() {
        List<ScriptedCall> calls = bench.store.calls(Verb.ACQUIRE);
        return calls.get(calls.size() - 1).ttl();
    }

    @Test
    void aRenewedTierIsRenewedByItsOwnTtlUntilItsMaxHold() {
        LockHandle lock = held(tiers().build(), WANTED.withPolicy("database"));
        assertThat(asked()).isEqualTo(Duration.ofSeconds(2));
        bench.advance(Duration.ofSeconds(59));
        assertThat(lock.isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.EXTEND))
                .hasSizeGreaterThan(59)
                .allMatch(call -> call.ttl().equals(Duration.ofSeconds(2)));
        bench.advance(Duration.ofSeconds(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
    }

    @Test
    void aTierWithoutRenewalEndsWithItsLease() {
        LockHandle lock = held(tiers().build(), WANTED.withPolicy("memory"));
        assertThat(asked()).isEqualTo(Duration.ofMillis(500));
        bench.advanceMillis(500);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }

    @Test
    void theWaitTimeOfATierCountsWhereTheRequestSaysNothing() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofSeconds(20)));
        LockClient client = tiers().build();
        CompletableFuture<LockHandle> tiers = client.acquireAsync(WANTED.withPolicy("database"));
        CompletableFuture<LockHandle> own =
                client.acquireAsync(WANTED.withPolicy("database").withWaitTime(Duration.ofSeconds(1)));
        bench.advance(Duration.ofSeconds(1));
        assertThat(own).isCompletedExceptionally();
        assertThat(tiers).isNotDone();
        bench.advance(Duration.ofSeconds(2));
        assertThat(tiers).isCompletedExceptionally();
    }

    @Test
    void anExplicitTtlGoesBeforeTheTiers() {
        held(tiers().build(), WANTED.withPolicy("database").withTtl(Duration.ofSeconds(4)));
        assertThat(asked()).isEqualTo(Duration.ofSeconds(4));
        bench.advance(Duration.ofSeconds(3));
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }

    @Test
    void aPolicyThatDoesNotExistIsNamedWithThoseThatDo() {
        assertThat(failure(IllegalArgumentException.class, tiers().build().acquireAsync(WANTED.withPolicy("databse"))))
                .hasMessage("Lock 'orders' is requested with the policy 'databse', which does not exist."
                        + " The policies are database, memory");
        assertThat(bench.store.calls(Verb.ACQUIRE)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"orders,1", "orders.place,2", "orders.place.now,3", "invoices,4", "a.orders.b,4"})
    void theNameOfALockChoosesTheMostExactPattern(String lockName, long seconds) {
        LockClientBuilder builder = bench.settings();
        String[] patterns = {"orders", "orders.*", "orders.*now", "*"};
        for (int i = 0; i < patterns.length; i++) {
            builder.policy(
                    "p" + i,
                    LockPolicy.of(TtlPolicy.fixed(Duration.ofSeconds(i + 1))).forLocks(patterns[i]));
        }
        held(builder.build(), LockRequest.of(lockName, "42"));
        assertThat(asked()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void twoPoliciesForOneNameAreRefused() {
        LockClientBuilder builder = tiers().policy("one", DATABASE.forLocks("orders", "a*"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.policy("two", MEMORY.forLocks("a*")))
                .withMessage("The policies 'one' and 'two' count for the same lock name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.policy("one", MEMORY))
                .withMessage("The policies 'one' and 'one' have the same name");
    }

    @Test
    void aTtlThatNoLeaseCanHaveFailsTheRequest() {
        LockPolicy broken = LockPolicy.of((request, running) -> Duration.ZERO);
        LockClient client = bench.settings().policy("broken", broken).build();
        assertThat(failure(IllegalArgumentException.class, client.acquireAsync(WANTED.withPolicy("broken"))))
                .hasMessageContaining("from 50ms to 365d");
    }

    @Test
    void aPolicySeesForHowLongLocksOfANameAreHeld() {
        List<Duration> seen = new ArrayList<>();
        LockPolicy curious = LockPolicy.of((request, running) -> {
            seen.add(running.longest("orders"));
            return Duration.ofSeconds(30);
        });
        LockClient client = bench.settings().policy("curious", curious).build();
        held(client, WANTED);
        bench.advance(Duration.ofSeconds(4));
        held(client, LockRequest.of("orders", "second").withPolicy("curious"));
        LockHandle other = held(client, LockRequest.of("other", "1"));
        bench.advance(Duration.ofSeconds(1));
        held(client, LockRequest.of("orders", "third").withPolicy("curious"));
        assertThat(other.isHeld()).isTrue();
        assertThat(seen).containsExactly(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    @Test
    void anAdaptiveTtlLearnsFromTheClientsLocksAndShowsWhatItDecided() {
        TtlPolicy policy = TtlPolicy.adaptive(new AdaptiveTtl(Duration.ofSeconds(1), Duration.ofSeconds(40), 0.99, 2));
        LockClient client = bench.settings()
                .policy("report", LockPolicy.of(policy).forLocks("orders"))
                .build();
        for (int i = 0; i < HoldTimeWindow.ENOUGH; i++) {
            LockHandle lock = held(client, WANTED);
            bench.advance(Duration.ofSeconds(3));
            CompletableFuture<Void> released = lock.releaseAsync();
            assertThat(released).isCompleted();
        }
        assertThat(client.monitor().statistics().ttls()).containsEntry("orders", Duration.ofSeconds(40));
        await().until(() -> policy.ttl(WANTED, name -> Duration.ZERO).equals(Duration.ofMillis(6_300)));
        held(client, WANTED);
        assertThat(asked()).isEqualTo(Duration.ofMillis(6_300));
        assertThat(client.monitor().statistics().ttls()).containsEntry("orders", Duration.ofMillis(6_300));
    }
}
