package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.internal.store.OwnerIds;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a refusal says about the holder of the lock. */
@Timeout(60)
class RefusalTest {

    private static final LockRequest ONCE = LockRequest.of("orders", "42").withWaitTime(Duration.ZERO);
    private static final ClientIdentity SHOP = new ClientIdentity("shop", "1.4", "web-1", 4711L, null);

    private final Bench bench = new Bench();
    private final CompletableFuture<Optional<StoredLock>> stored = new CompletableFuture<>();
    private final FindableStore store = new FindableStore(bench.store, stored);
    private final String holder = new OwnerIds(bench.time).next();

    private LockClient client(ClientIdentity identity) {
        return new DefaultLockClientBuilder(store)
                .ttl(Bench.TTL)
                .timeline(bench.time)
                .executor(Runnable::run)
                .signals(Runnable::run)
                .identity(identity)
                .build();
    }

    private CompletableFuture<LockHandle> refused(LockClient client) {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofSeconds(20)));
        return client.acquireAsync(ONCE);
    }

    private static LockNotAcquiredException refusal(CompletableFuture<?> call) {
        CompletionException thrown = catchThrowableOfType(CompletionException.class, call::join);
        return (LockNotAcquiredException) thrown.getCause();
    }

    private void isHeldBy(String line, Duration left) {
        store.publish(holder.substring(0, 8), line, left);
        stored.complete(Optional.of(new StoredLock(holder, Duration.ofSeconds(20), 0)));
    }

    @Test
    void itNamesTheHolderAndSaysForHowLongItHasTheLockAtMost() {
        isHeldBy("tick=150 app=shop version=1.4 host=web-1 pid=4711", Duration.ofSeconds(3_599));
        LockNotAcquiredException refusal = refusal(refused(client(SHOP)));
        assertThat(refusal)
                .hasMessageContaining(
                        "is held by shop on web-1 (pid 4711), which asked for it 4000 ms ago: not acquired")
                .hasMessageNotContaining(holder);
        assertThat(refusal.holder()).hasValueSatisfying(known -> {
            assertThat(known.identity()).isEqualTo(SHOP);
            assertThat(known.age()).hasSeconds(4);
            assertThat(known.silence()).isNull();
            assertThat(known.client()).isEqualTo(holder.substring(0, 8));
        });
    }

    @Test
    void itSaysThatAHolderGivesNoSignOfLifeAnyMore() {
        isHeldBy("tick=0 app=shop", Duration.ofSeconds(3_600 - 34));
        assertThat(refusal(refused(client(SHOP))))
                .hasMessageContaining("is held by shop, which has given no sign of life for 34 s");
    }

    @Test
    void aHolderThatIsNotInTheRosterIsUnknown() {
        stored.complete(Optional.of(new StoredLock(holder, Duration.ofSeconds(20), 0)));
        LockNotAcquiredException refusal = refusal(refused(client(SHOP)));
        assertThat(refusal).hasMessageContaining("is held by another owner: not acquired at once");
        assertThat(refusal.holder())
                .hasValueSatisfying(known -> assertThat(known.identity()).isNull());
    }

    @Test
    void itDoesNotWaitForAStoreThatGivesNoAnswer() {
        CompletableFuture<LockHandle> call = refused(client(SHOP));
        bench.advanceMillis(49);
        assertThat(call).isNotDone();
        bench.advanceMillis(1);
        assertThat(refusal(call).holder()).isEmpty();
    }

    @Test
    void aLookUpThatFailsChangesNothing() {
        stored.completeExceptionally(StoreException.notSent("away", null));
        LockNotAcquiredException refusal = refusal(refused(client(SHOP)));
        assertThat(refusal).hasMessageContaining("is held by another owner: not acquired at once");
        assertThat(refusal.holderLeaseEndsIn()).hasSeconds(20);
    }

    @Test
    void aLineThatNoClientHasWrittenIsNotUsed() {
        isHeldBy("something else", Duration.ofSeconds(3_599));
        assertThat(refusal(refused(client(SHOP)))).hasMessageContaining("by another owner");
    }

    @Test
    void aHolderOfTheSameClientIsKnownWithoutAQuestion() {
        LockClient client = client(SHOP);
        CompletableFuture<LockHandle> first = client.acquireAsync(ONCE);
        bench.acquire().grants(7);
        assertThat(bench.now(first).isHeld()).isTrue();
        bench.advance(Duration.ofSeconds(2));
        LockNotAcquiredException refusal = refusal(client.acquireAsync(ONCE));
        assertThat(refusal).hasMessageContaining("is held in this process for 2000 ms");
        assertThat(refusal.holder()).hasValueSatisfying(known -> {
            assertThat(known.identity()).isEqualTo(SHOP);
            assertThat(known.age()).hasSeconds(2);
        });
    }

    @Test
    void aClientIsInTheRosterFromItsFirstRequestUntilItsEnd() {
        LockClient client = client(SHOP);
        assertThat(store.clients()).isEmpty();
        refused(client);
        bench.time.runDue();
        assertThat(store.clients()).hasSize(1);
        store.clients().clear();
        bench.advance(Duration.ofSeconds(5));
        assertThat(store.clients().values())
                .singleElement()
                .satisfies(entry -> assertThat(entry.line()).contains("app=shop", "host=web-1", "pid=4711"));
        client.close();
        assertThat(store.clients()).isEmpty();
    }

    @Test
    void aClientThatIsStartedAgainBeforeItsEndIsThroughStaysInTheRoster() {
        LockClient client = client(SHOP);
        CompletableFuture<LockHandle> first = client.acquireAsync(ONCE);
        bench.acquire().grants(7);
        bench.now(first);
        bench.time.runDue();
        client.drain(Duration.ofMillis(1));
        ScriptedCall unanswered = bench.release();
        CompletableFuture<LockHandle> second = client.acquireAsync(LockRequest.of("orders", "7"));
        ScriptedCall acquired = bench.acquire();
        acquired.grants(8);
        unanswered.frees();
        bench.advance(Duration.ofSeconds(5));
        assertThat(bench.now(second).isHeld()).isTrue();
        assertThat(store.clients().keySet())
                .containsExactly(acquired.claim().owner().substring(0, 8));
    }

    @Test
    void aThreadThatOnlyTriesWaitsForNoAnswerAboutTheHolder() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofSeconds(20)));
        LockClient client = client(SHOP);
        assertThat(client.asLock(LockRequest.of("orders", "42")).tryLock()).isFalse();
        assertThat(client.tryAcquire(ONCE)).isEmpty();
        assertThat(client.tryAcquire(LockRequest.ofAll("orders", List.of("7", "42"))))
                .isEmpty();
    }

    @Test
    void severalLocksAreGivenBackBeforeTheHolderOfTheRefusedOneIsAskedFor() {
        CompletableFuture<LockHandle> both = client(SHOP)
                .acquireAsync(LockRequest.ofAll("orders", List.of("7", "8")).withWaitTime(Duration.ZERO));
        bench.acquire().grants(7);
        bench.acquire().refuses(Duration.ofSeconds(20));
        bench.release().frees();
        assertThat(both).isNotDone();
        isHeldBy("tick=150 app=shop", Duration.ofSeconds(3_599));
        assertThat(refusal(both)).hasMessageContaining("is held by shop");
    }

    @Test
    void aClientWithoutIdentitySaysAndAsksNothing() {
        LockClient client = new DefaultLockClientBuilder(store)
                .timeline(bench.time)
                .executor(Runnable::run)
                .build();
        assertThat(refusal(refused(client)).holder()).isEmpty();
        bench.advance(Duration.ofSeconds(5));
        assertThat(store.clients()).isEmpty();
    }

    @Test
    void anIdentityCanNotBreakALineOfALog() {
        ClientIdentity identity = new ClientIdentity("my shop\nLock 'x' was released", " ", null, null, null);
        assertThat(identity.toString()).isEqualTo("my-shop-Lock-'x'-was-released");
    }
}
