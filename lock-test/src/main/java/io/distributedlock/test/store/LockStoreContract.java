package io.distributedlock.test.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link LockStore} promises, whatever it is made of. The test of a store extends this class:
 *
 * <pre>{@code
 * class MyStoreTest extends LockStoreContract implements SharedLockContract {
 *
 *     private final MyStore store = new MyStore();
 *
 *     @Override
 *     public LockStore store() {
 *         return store;
 *     }
 * }
 * }</pre>
 *
 * <p>A store whose locks can be shared implements {@link SharedLockContract} as well. One with a queue extends {@link
 * LockQueueContract}, and one that has both {@link SharedQueueContract}.
 *
 * <p>Needs JUnit, AssertJ and Awaitility. Each test uses lock ids of its own, so the tests may share a store. A test of
 * what a store need not have is skipped where the store does not have it: {@link OnDemandTokens}, {@link
 * io.distributedlock.spi.LockInspection} and {@link LockListing}.
 */
public abstract class LockStoreContract {

    private static final Duration LONG = Duration.ofSeconds(30);
    /** Time enough for one more question before it ends. */
    private static final Duration SHORT = Duration.ofSeconds(1);
    /** No test meets its end. */
    private static final Duration MEDIUM = Duration.ofSeconds(5);

    /** Shorter than the leases whose end a test must not wait for. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final String id = "contract:" + UUID.randomUUID();

    /** The store under test; the same one for all calls within a test. */
    public abstract LockStore store();

    /**
     * Whether {@link LockStore#releaseAfter} ends a lease at the time that it is asked for. False for a store that
     * leaves the lock to its lease.
     */
    protected boolean endsLeasesAtAGivenTime() {
        return true;
    }

    /** Whether of many owners who ask at once none may be granted, so that they have to ask again. */
    protected boolean aRushMayEndWithoutAGrant() {
        return false;
    }

    /** Whether the store has fencing tokens, with a grant or on demand. */
    protected boolean hasTokens() {
        return true;
    }

    @BeforeEach
    void reach() {
        join(store().ready());
    }

    @Test
    void aFreeLockIsGrantedWithItsWholeLease() {
        assertThat(acquire(owner(), LONG)).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.fresh()).isTrue();
            assertThat(granted.remaining()).isPositive().isLessThanOrEqualTo(LONG);
        });
    }

    @Test
    void aSecondOwnerIsRefusedAndToldWhenTheLeaseEnds() {
        acquire(owner(), LONG);
        assertThat(acquire(owner(), LONG))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isPositive().isLessThanOrEqualTo(LONG));
    }

    @Test
    void repeatingAnAcquireIsAGrantToTheSameOwnerWithoutALaterExpiry() {
        Claim claim = owner();
        acquire(claim, Duration.ofSeconds(10));
        assertThat(acquire(claim, LONG)).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.fresh()).isFalse();
            assertThat(granted.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        });
    }

    @Test
    void oneReleaseFreesALockThatWasAcquiredRepeatedly() {
        Claim claim = owner();
        acquire(claim, LONG);
        acquire(claim, LONG);
        assertThat(release(claim).held()).isTrue();
        assertThat(acquire(owner(), LONG)).isInstanceOf(Granted.class);
    }

    @Test
    void aLockThatIsKeptStaysTakenUntilItsOwnerReleasesIt() {
        Claim claim = owner();
        acquire(claim, LONG);
        assertThat(keep(claim, LONG)).isTrue();
        assertThat(acquire(owner(), LONG)).isInstanceOf(Refused.class);
        release(claim);
        await().until(() -> acquire(owner(), LONG) instanceof Granted);
    }

    @Test
    void aLockThatIsKeptIsFreeByItselfWhenThatIsOver() {
        assumeTrue(endsLeasesAtAGivenTime());
        Claim claim = owner();
        acquire(claim, LONG);
        assertThat(keep(claim, SHORT)).isTrue();
        AcquireResult soon = acquire(owner(), LONG);
        assertThat(soon).isInstanceOf(Refused.class);
        assertThat(((Refused) soon).retryAfter()).isLessThanOrEqualTo(SHORT);
        await().until(() -> acquire(owner(), LONG) instanceof Granted);
    }

    @Test
    void aLockCanBeKeptForLongerThanItsLeaseWasAtFirst() {
        assumeTrue(endsLeasesAtAGivenTime());
        Claim claim = owner();
        acquire(claim, MEDIUM);
        assertThat(keep(claim, LONG)).isTrue();
        assertThat(acquire(owner(), LONG))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isGreaterThan(Duration.ofSeconds(10)));
    }

    @Test
    void onlyTheOwnerCanHaveALockKept() {
        assumeTrue(endsLeasesAtAGivenTime());
        assertThat(keep(owner(), LONG)).isFalse();
        acquire(owner(), LONG);
        assertThat(keep(owner(), SHORT)).isFalse();
    }

    @Test
    void tokensOfALockGrowFromGrantToGrant() {
        assumeTrue(hasTokens());
        Map<String, List<Long>> tokens = new HashMap<>();
        for (int i = 0; i < 50; i++) {
            Claim claim = new Claim(id + i % 3, UUID.randomUUID().toString(), LockMode.EXCLUSIVE, true);
            long token = ((Granted) acquire(claim, LONG)).token();
            tokens.computeIfAbsent(claim.id(), any -> new ArrayList<>()).add(token);
            release(claim);
        }
        assertThat(tokens.values())
                .allSatisfy(ofOneLock -> assertThat(ofOneLock).isSorted().doesNotHaveDuplicates());
    }

    /** A store grants a lock with a token, or draws one for its holder when that is asked for. */
    private long tokenOf(Claim claim) {
        long granted = ((Granted) acquire(claim, LONG)).token();
        return granted != 0 ? granted : join(OnDemandTokens.draw(store(), claim));
    }

    @Test
    void tokensGrowFromHolderToHolderHoweverTheyAreDrawn() {
        assumeTrue(hasTokens());
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Claim claim = i % 3 == 0 ? fenced() : owner();
            tokens.add(tokenOf(claim));
            release(claim);
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates().allMatch(token -> token > 0);
    }

    @Test
    void anOwnerThatDoesNotHoldTheLockDrawsNoToken() {
        assumeTrue(hasTokens() && store() instanceof OnDemandTokens);
        OnDemandTokens tokens = (OnDemandTokens) store();
        Claim holder = owner();
        assumeTrue(((Granted) acquire(holder, LONG)).token() == 0);
        assertThat(join(tokens.drawToken(owner()))).isZero();
        assertThat(join(tokens.drawToken(holder))).isPositive();
        release(holder);
        assertThat(join(tokens.drawToken(holder))).isZero();
        assertThat(acquire(owner(), LONG)).isInstanceOf(Granted.class);
    }

    @Test
    void aTryWithATokenAndOneWithoutExcludeEachOther() {
        assumeTrue(hasTokens());
        Claim plain = owner();
        acquire(plain, LONG);
        assertThat(acquire(fenced(), LONG)).isInstanceOf(Refused.class);
        release(plain);
        Claim holder = fenced();
        assertThat(acquire(holder, LONG)).isInstanceOf(Granted.class);
        assertThat(acquire(plain, LONG)).isInstanceOf(Refused.class);
        release(holder);
        assertThat(acquire(plain, LONG)).isInstanceOf(Granted.class);
    }

    @Test
    void aReleaseByAnotherOwnerChangesNothing() {
        Claim holder = owner();
        acquire(holder, LONG);
        assertThat(release(owner()).held()).isFalse();
        assertThat(extend(holder, LONG)).isTrue();
    }

    @Test
    void aReleaseTellsWhetherTheLockWasHeld() {
        Claim claim = owner();
        acquire(claim, LONG);
        assertThat(release(claim).held()).isTrue();
        await().untilAsserted(() -> {
            Release second = release(claim);
            assertThat(second.held()).isFalse();
            assertThat(second.settled()).isTrue();
        });
    }

    @Test
    void anExtensionNeverTakesAFreeLock() {
        assertThat(extend(owner(), LONG)).isFalse();
        assertThat(acquire(owner(), LONG)).isInstanceOf(Granted.class);
    }

    @Test
    void anExtensionMovesTheExpiry() {
        Claim claim = owner();
        acquire(claim, MEDIUM);
        assertThat(extend(claim, LONG)).isTrue();
        assertThat(((Granted) acquire(claim, LONG)).remaining()).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void anExtensionNeverShortensALease() {
        Claim claim = owner();
        acquire(claim, LONG);
        assertThat(extend(claim, Duration.ofMillis(1))).isTrue();
        assertThat(((Granted) acquire(claim, LONG)).remaining()).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void anExtensionAnswersHowLongTheLeaseLasts() {
        Claim claim = owner();
        acquire(claim, MEDIUM);
        assertThat(join(store().extend(claim, 1, LONG)))
                .isGreaterThan(Duration.ofSeconds(10))
                .isLessThanOrEqualTo(LONG);
    }

    @Test
    void anExtensionThatIsShorterThanWhatIsLeftAnswersWithThat() {
        Claim claim = owner();
        acquire(claim, LONG);
        assertThat(join(store().extend(claim, 1, Duration.ofMillis(1))))
                .isGreaterThan(Duration.ofSeconds(10))
                .isLessThanOrEqualTo(LONG);
    }

    @Test
    void anExtensionRaisesTheFenceToItsToken() {
        assumeTrue(hasTokens());
        Claim claim = fenced();
        long token = ((Granted) acquire(claim, LONG)).token();
        long ahead = token + Duration.ofDays(1).toNanos() / 1_000;
        assertThat(join(store().extend(claim, ahead, LONG))).isPositive();
        release(claim);
        assertThat(((Granted) acquire(fenced(), LONG)).token()).isGreaterThan(ahead);
    }

    @Test
    void aLeaseThatIsNotExtendedRunsOut() {
        Claim gone = owner();
        await().ignoreExceptions().until(() -> acquire(gone, SHORT) instanceof Granted);
        await().until(() -> acquire(owner(), LONG) instanceof Granted);
        assertThat(extend(gone, LONG)).isFalse();
        assertThat(release(gone).held()).isFalse();
    }

    @Test
    void ofManyOwnersAtOnceOneIsGranted() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 25; round++) {
                String contended = id + round;
                List<Callable<AcquireResult>> rush = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Claim claim = new Claim(contended, UUID.randomUUID().toString());
                    rush.add(() -> join(store().acquire(claim, LONG, Duration.ZERO)));
                }
                long granted = 0;
                for (Future<AcquireResult> outcome : threads.invokeAll(rush)) {
                    granted += outcome.get() instanceof Granted ? 1 : 0;
                }
                assertThat(granted).isBetween(aRushMayEndWithoutAGrant() ? 0L : 1L, 1L);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Claim fenced() {
        return new Claim(id, UUID.randomUUID().toString(), LockMode.EXCLUSIVE, true);
    }

    @Test
    void aListOfAllLocksHasThoseThatAreHeld() {
        assumeTrue(store() instanceof LockListing);
        Claim holder = owner();
        Claim gone = new Claim(id + ":gone", holder.owner());
        assertThat(acquire(holder, LONG)).isInstanceOf(Granted.class);
        assertThat(acquire(gone, LONG)).isInstanceOf(Granted.class);
        release(gone);
        await().untilAsserted(() -> {
            Map<String, ListedLock> listed = listed();
            assertThat(listed).doesNotContainKey(gone.id());
            assertThat(listed.get(id)).isNotNull().satisfies(lock -> {
                assertThat(lock.lock().mode()).isEqualTo(LockMode.EXCLUSIVE);
                assertThat(lock.lock().owners()).containsExactly(holder.owner());
                assertThat(lock.lock().remaining()).isBetween(Duration.ofMillis(1), LONG);
            });
        });
    }

    /** Page by page, two at a time. */
    final Map<String, ListedLock> listed() {
        Map<String, ListedLock> locks = new HashMap<>();
        LockListing.Page page = null;
        do {
            page = join(((LockListing) store()).list(page == null ? null : page.next(), 2));
            assertThat(page.locks()).extracting(ListedLock::id).doesNotHaveDuplicates();
            page.locks().forEach(lock -> locks.put(lock.id(), lock));
        } while (page.next() != null);
        return locks;
    }

    private Claim owner() {
        return new Claim(id, UUID.randomUUID().toString());
    }

    private AcquireResult acquire(Claim claim, Duration ttl) {
        return join(store().acquire(claim, ttl, Duration.ZERO));
    }

    private boolean extend(Claim claim, Duration ttl) {
        return !join(store().extend(claim, 1, ttl)).isZero();
    }

    private boolean keep(Claim claim, Duration time) {
        return join(store().releaseAfter(claim, time));
    }

    private Release release(Claim claim) {
        return join(store().release(claim));
    }

    /** Waits with a limit of its own, whatever defaults the other tests have. */
    static ConditionFactory await() {
        return Awaitility.await().pollDelay(INTERVAL).pollInterval(INTERVAL).atMost(LIMIT);
    }

    static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
