package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.acquire.AcquirePlan;
import io.distributedlock.internal.lease.LeaseGrant;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.store.Cleanup;
import io.distributedlock.internal.store.OwnerIds;
import io.distributedlock.internal.time.SystemScheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException.Effect;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The caller that knows an owner can release its lock, so no text that leaves the library contains one. */
class SecrecyTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");
    private static final LockRequest ONCE = WANTED.withWaitTime(Duration.ZERO);

    private final Bench bench = new Bench();
    private final StringBuilder texts = new StringBuilder();

    private void tell(CompletableFuture<?> failed) {
        Throwable thrown = catchThrowable(failed::join);
        assertThat(thrown).isNotNull();
        StringWriter stack = new StringWriter();
        thrown.printStackTrace(new PrintWriter(stack));
        texts.append(stack).append('\n');
    }

    @AfterEach
    void noTextContainsAnOwner() {
        assertThat(texts).isNotEmpty();
        assertThat(bench.store.calls()).isNotEmpty();
        await().until(() -> !bench.events.isEmpty());
        bench.events.forEach(event -> texts.append(event).append('\n'));
        bench.client.held().forEach(lock -> texts.append(lock).append('\n'));
        Set<String> owners = ConcurrentHashMap.newKeySet();
        bench.store.calls().forEach(call -> owners.add(call.claim().owner()));
        assertThat(owners).allSatisfy(owner -> assertThat(texts).doesNotContain(owner));
    }

    @Test
    void notInTheFailuresOfAnAcquisition() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofSeconds(20)));
        tell(bench.client.acquireAsync(ONCE));
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.REFUSED));
        tell(bench.client.acquireAsync(ONCE));
        bench.store.never(Verb.ACQUIRE);
        CompletableFuture<LockHandle> unknown = bench.client.acquireAsync(ONCE);
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        tell(unknown);
        CompletableFuture<LockHandle> closed = bench.client.acquireAsync(ONCE);
        bench.client.drain(Duration.ZERO);
        tell(closed);
    }

    @Test
    void notInTheFailuresOfALockThatIsHeld() {
        LockHandle lock = bench.held(WANTED);
        texts.append(lock);
        CompletableFuture<Boolean> extension = lock.extendAsync(Bench.TTL);
        bench.advance(Bench.COMMAND_TIMEOUT);
        tell(extension);
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.UNKNOWN));
        bench.advance(Bench.TTL);
        tell(lock.releaseAsync());
    }

    @Test
    void notInWhatTheLibrarySaysOfItsOwnParts() {
        bench.held(WANTED);
        Claim claim = bench.store.calls().get(0).claim();
        AcquirePlan plan = new AcquirePlan(
                WANTED.id(),
                claim,
                new LeaseTerms(Bench.TTL, true, null, Bench.COMMAND_TIMEOUT),
                0,
                Bench.WAIT_TIME.toNanos(),
                false);
        texts.append(claim)
                .append(plan)
                .append(new LeaseGrant(plan.id(), claim, plan.lease(), 7, 0, 0, false, false))
                .append(new Cleanup(claim, 0, Duration.ZERO, Duration.ZERO));
    }

    @Test
    void everyOwnerHasRandomBitsOfItsOwn() {
        OwnerIds owners = new OwnerIds(new SystemScheduler());
        Set<String> seen = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 10_000; i++) {
            seen.add(owners.next());
        }
        IntStream.range(0, 10_000).parallel().mapToObj(i -> owners.next()).forEach(seen::add);
        assertThat(seen.stream().map(owner -> owner.substring(14))).doesNotHaveDuplicates();
        assertThat(seen).hasSize(20_000).allMatch(owner -> owner.matches("[A-Za-z0-9_-]{27}"));
        texts.append(bench.held(WANTED));
    }
}
