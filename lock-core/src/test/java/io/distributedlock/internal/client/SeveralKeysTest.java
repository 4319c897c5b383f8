package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockMode;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.acquire.Handovers;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The locks of several keys, all or none. */
@Timeout(60)
class SeveralKeysTest {

    private static final LockRequest BOTH = LockRequest.ofAll("account", List.of("b", "a"));
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final ManualScheduler time = new ManualScheduler();
    private final InMemoryLockStore store = new InMemoryLockStore(time::now);
    private final Deque<Runnable> completions = new ArrayDeque<>();
    private final LockClient client = client();
    private final LockClient other = client();

    private LockClient client() {
        return new DefaultLockClientBuilder(store)
                .timeline(time)
                .executor(Runnable::run)
                .signals(Runnable::run)
                .waitTime(WAIT)
                .build();
    }

    private LockHandle held(LockClient client, LockRequest request) {
        return Bench.now(client.acquireAsync(request));
    }

    private boolean isFree(String key) {
        return client.monitor().find("account:" + key).isEmpty();
    }

    @Test
    void aLockThatIsInDoubtWhenTheLastOneIsGrantedIsNoRefusal() {
        Bench bench = new Bench();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        CompletableFuture<LockHandle> both = bench.client.acquireAsync(BOTH.withWaitTime(Duration.ZERO));
        bench.acquire().grants(7);
        ScriptedCall second = bench.acquire();
        bench.time.suspend(Bench.TTL);
        second.grants(8);
        assertThat(Bench.failure(LockUnavailableException.class, both).outcome())
                .isEqualTo(LockUnavailableException.Outcome.UNAVAILABLE);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(2);
    }

    private static Duration endOf(CompletableFuture<LockHandle> call, Bench bench) {
        while (!call.isDone()) {
            bench.time.advanceToNextTimer();
        }
        return bench.time.elapsed();
    }

    /** It gives the first one back before it ends. */
    @Test
    void aCallThatIsNotAnsweredAnyMoreAfterItsFirstLockEndsAfterFourCommandTimeouts() {
        Bench bench = new Bench();
        CompletableFuture<LockHandle> both = bench.client.acquireAsync(BOTH.withWaitTime(Duration.ZERO));
        bench.acquire().grants(7);
        assertThat(endOf(both, bench)).isLessThanOrEqualTo(Bench.COMMAND_TIMEOUT.multipliedBy(4));
    }

    /** The last lock comes as late as it may, then the leases are to be made equal, and then both are given back. */
    @Test
    void aCallThatIsNotAnsweredAnyMoreAfterItsLastLockEndsAfterItsWaitTimeAndFourCommandTimeouts() {
        Bench bench = new Bench();
        CompletableFuture<LockHandle> both =
                bench.client.acquireAsync(BOTH.withWaitTime(WAIT).withTtl(Bench.TTL));
        bench.acquire().grants(7);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        Duration lastTry = WAIT.minus(Bench.POLL);
        bench.store.always(Verb.ACQUIRE, call -> {
            if (call.sentAt().compareTo(lastTry) < 0) {
                call.refuses(Bench.TTL);
            }
        });
        bench.acquire().refuses(Bench.TTL);
        bench.advance(WAIT.plus(Bench.COMMAND_TIMEOUT.multipliedBy(2)).minusMillis(200));
        bench.store.never(Verb.EXTEND);
        bench.acquire().grants(8);
        assertThat(both).isNotDone();
        assertThat(endOf(both, bench)).isLessThanOrEqualTo(WAIT.plus(Bench.COMMAND_TIMEOUT.multipliedBy(4)));
    }

    @Test
    void theOrderOfKeysAndRepetitionsDoNotMatter() {
        assertThat(BOTH).isEqualTo(LockRequest.ofAll("account", List.of("a", "b", "a")));
        assertThat(BOTH.keys()).containsExactly("a", "b");
        assertThat(BOTH.key()).isEqualTo("a,b");
        assertThat(BOTH.shared().withWaitTime(WAIT).mode()).isEqualTo(LockMode.SHARED);
        assertThat(LockRequest.ofAll("account", List.of("a", "a"))).isEqualTo(LockRequest.of("account", "a"));
    }

    @Test
    void thereIsALimitToTheNumberOfKeys() {
        List<String> keys = IntStream.rangeClosed(0, LockRequest.MAX_KEYS)
                .mapToObj(String::valueOf)
                .toList();
        assertThat(LockRequest.ofAll("account", keys.subList(1, keys.size())).keys())
                .hasSize(LockRequest.MAX_KEYS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.ofAll("account", keys))
                .withMessageContaining("'account' is wanted for 101 keys")
                .withMessageContaining("from 1 to 100");
        assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll("account", List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.ofAll("account", List.of("a", " ")))
                .withMessageContaining("empty or blank");
    }

    @Test
    void allLocksAreHeldAndReleasedTogetherAndEachHasItsToken() {
        LockHandle both = held(client, BOTH);
        assertThat(both.isHeld()).isTrue();
        assertThat(both.name() + " " + both.key()).isEqualTo("account a,b");
        assertThat(both.parts()).extracting(LockHandle::key).containsExactly("a", "b");
        assertThat(both.parts()).extracting(LockHandle::fencingToken).doesNotHaveDuplicates();
        assertThatIllegalStateException().isThrownBy(both::fencingToken).withMessageContaining("parts()");
        assertThat(isFree("a") || isFree("b")).isFalse();
        both.release();
        both.release();
        assertThat(both.state()).isEqualTo(LockState.RELEASED);
        assertThat(isFree("a") && isFree("b")).isTrue();
    }

    @Test
    void ifOneLockCannotBeHadNoneIsKept() {
        held(other, LockRequest.of("account", "b"));
        assertThat(client.tryAcquire(BOTH.withWaitTime(Duration.ZERO))).isEmpty();
        assertThat(isFree("a")).isTrue();
        CompletableFuture<LockHandle> waiting = client.acquireAsync(BOTH);
        assertThat(isFree("a")).isFalse();
        time.advance(WAIT);
        assertThat(Bench.failure(LockNotAcquiredException.class, waiting).lockKey())
                .isEqualTo("b");
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void oneWaitTimeCoversAllLocks() {
        LockHandle first = held(other, LockRequest.of("account", "a"));
        held(other, LockRequest.of("account", "b"));
        CompletableFuture<LockHandle> waiting = client.acquireAsync(BOTH);
        time.advance(Duration.ofSeconds(3));
        first.release();
        time.advance(Duration.ofMillis(1_900));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofMillis(200));
        Bench.failure(LockNotAcquiredException.class, waiting);
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void whoWaitsNoMoreLeavesNothingBehind() {
        LockHandle second = held(other, LockRequest.of("account", "b"));
        CompletableFuture<LockHandle> waiting = client.acquireAsync(BOTH);
        waiting.cancel(false);
        assertThat(isFree("a")).isTrue();
        second.release();
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void theLeasesOfAllLocksBeginTogether() {
        LockHandle second = held(other, LockRequest.of("account", "b"));
        CompletableFuture<LockHandle> waiting = client.acquireAsync(BOTH.withTtl(Duration.ofSeconds(4)));
        time.advance(Duration.ofSeconds(3));
        second.release();
        assertThat(Bench.now(waiting).remaining()).isGreaterThan(Duration.ofMillis(2_800));
    }

    @Test
    void aLockThatEndsWhileAnotherIsWaitedForIsTakenAgain() {
        LockHandle second = held(other, LockRequest.of("account", "b"));
        CompletableFuture<LockHandle> waiting = client.acquireAsync(BOTH.withTtl(Duration.ofSeconds(1)));
        time.advance(Duration.ofSeconds(3));
        assertThat(isFree("a")).isTrue();
        second.release();
        time.advance(Duration.ofMillis(10));
        assertThat(Bench.now(waiting).isHeld()).isTrue();
        assertThat(isFree("a") || isFree("b")).isFalse();
    }

    @Test
    void theLossOfOneLockIsTheLossOfAll() {
        LockHandle both = held(client, BOTH);
        AtomicReference<LossReason> reason = new AtomicReference<>();
        both.lost().thenAccept(reason::set);
        client.monitor().forceRelease("account:b");
        assertThat(reason).hasValue(LossReason.FORCED);
        assertThat(both.isHeld()).isFalse();
        assertThat(both.state()).isEqualTo(LockState.LOST);
        assertThat(both.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(both::requireHeld);
        assertThat(isFree("a")).isFalse();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(both::release);
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aTemplateTakesWhatItsThreadDoesNotHaveAndReleasesOnlyThat() {
        LockTemplate template = new LockTemplate(client);
        template.run(LockRequest.of("account", "a"), one -> {
            template.run(BOTH, both -> {
                assertThat(both.parts().get(0)).isSameAs(one);
                assertThat(LockContext.current()).hasSize(2);
                template.run(BOTH, again -> assertThat(again.parts()).isEqualTo(both.parts()));
                assertThat(both.isHeld()).isTrue();
            });
            assertThat(isFree("b")).isTrue();
            assertThat(one.isHeld()).isTrue();
        });
        assertThat(isFree("a")).isTrue();
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void locksAreTakenGivenBackAndReleasedWithoutTheThreadsThatCompleteCallersFutures() {
        LockClient busy = clientWhoseCallersAreBusy();
        busy.acquire(BOTH).release();
        assertThat(isFree("a") && isFree("b")).isTrue();
        held(other, LockRequest.of("account", "b"));
        assertThat(busy.tryAcquire(BOTH.withWaitTime(Duration.ZERO))).isEmpty();
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aWayWithoutAWaitingThreadNeedsThoseThreadsForItsEndAlone() {
        LockHandle second = held(other, LockRequest.of("account", "b"));
        LockClient busy = clientWhoseCallersAreBusy();
        CompletableFuture<LockHandle> waiting = busy.acquireAsync(BOTH.withTtl(Duration.ofSeconds(4)));
        time.advance(Duration.ofSeconds(3));
        second.release();
        assertThat(isFree("a") || isFree("b")).isFalse();
        assertThat(waiting).isNotDone();
        assertThat(completions).hasSize(1);
        completions.remove().run();
        assertThat(Bench.now(waiting).remaining()).isGreaterThan(Duration.ofMillis(2_800));
        CompletableFuture<Void> released = Bench.now(waiting).releaseAsync();
        assertThat(isFree("a") && isFree("b")).isTrue();
        assertThat(released).isNotDone();
        completions.remove().run();
        assertThat(released).isCompleted();
    }

    private LockClient clientWhoseCallersAreBusy() {
        return new DefaultLockClientBuilder(store)
                .timeline(time)
                .executor(completions::add)
                .build();
    }

    @Test
    void locksCanBeSharedTogether() {
        LockHandle readers = held(client, BOTH.shared());
        assertThat(held(other, BOTH.shared()).isHeld()).isTrue();
        assertThat(other.tryAcquire(BOTH.withWaitTime(Duration.ZERO))).isEmpty();
        assertThat(readers.isHeld()).isTrue();
    }

    @Test
    void transfersBetweenAccountsInAllDirectionsNeverWaitForEachOther() throws Exception {
        try (LockClient real = LockClient.builder(new InMemoryLockStore()).build()) {
            assertThat(new Handovers(real).run(8, 200)).isZero();
        }
    }
}
