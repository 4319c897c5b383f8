package io.distributedlock.test.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.Release.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a {@link LockStore} promises besides, if claims that are refused wait in a queue of the store. */
public abstract class LockQueueContract extends LockStoreContract {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String id = "queue:" + UUID.randomUUID();
    private final List<Claim> claims = new ArrayList<>();
    private final Claim holder = claim("holder");

    @BeforeEach
    void hold() {
        await().until(() -> {
            Claim first = claim("first");
            acquire(first, LONG, Duration.ZERO);
            Claim second = claim("second");
            boolean queues = acquire(second, LONG, PATIENCE) instanceof Refused refused && refused.queued();
            release(second);
            release(first);
            return queues;
        });
        assertThat(acquire(holder, LONG, PATIENCE)).isInstanceOf(Granted.class);
    }

    @Test
    void aReleaseNeverReportsALockOfAnotherOwnerAsAbsent() {
        assertThat(release(claim("stranger")).outcome()).isEqualTo(Outcome.NOT_OWNER);
        assertThat(release(holder).outcome()).isEqualTo(Outcome.RELEASED);
        assertThat(release(holder).held()).isFalse();
    }

    @Test
    void aReleaseGivesTheLockToWhoWaitsAndTellsIt() {
        Claim waiter = claim("waiter");
        Refused refused = queue(waiter);
        assertThat(refused.grantNotification().toCompletableFuture()).isNotDone();
        release(holder);
        Granted granted = grant(refused);
        assertThat(granted.fresh()).isTrue();
        assertThat(acquire(waiter, LONG, PATIENCE))
                .isInstanceOfSatisfying(
                        Granted.class, again -> assertThat(again.fresh()).isFalse());
        assertThat(extend(waiter, granted.token())).isTrue();
    }

    @Test
    void aDirectGrantIsShortAndCountsFromTheTryThatWasRefused() {
        long before = System.nanoTime();
        Refused refused = queue(claim("waiter"));
        release(holder);
        Granted granted = grant(refused);
        Duration longest = Duration.ofNanos(System.nanoTime() - before).plus(LockStore.LONGEST_DIRECT_LEASE);
        assertThat(granted.remaining()).isBetween(LockStore.LONGEST_DIRECT_LEASE, longest);
    }

    @Test
    void aDirectGrantIsNeverLongerThanTheLeaseThatWasAskedFor() {
        Claim waiter = claim("waiter");
        queue(waiter, SHORT);
        release(holder);
        await().until(() -> !extend(waiter, 1, Duration.ofMillis(1)));
    }

    @Test
    void claimsAreServedInTheOrderOfTheirArrivalWithGrowingTokens() {
        List<Claim> served = new ArrayList<>(List.of(holder));
        List<Refused> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            served.add(fenced("waiter-" + i));
            waiting.add(queue(served.get(i + 1)));
        }
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < waiting.size(); i++) {
            assertThat(waiting).filteredOn(each -> isTold(each)).hasSize(i);
            release(served.get(i));
            tokens.add(grant(waiting.get(i)).token());
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aListOfAllLocksHasWhoWaitsInTheOrderOfArrival() {
        assumeTrue(store() instanceof LockListing);
        List<String> waiting = new ArrayList<>();
        for (int i = 0; i < LockListing.MAX_WAITERS + 3; i++) {
            Claim waiter = claim("waiter-" + i);
            queue(waiter);
            waiting.add(waiter.owner());
        }
        await().untilAsserted(() -> assertThat(listed().get(id)).isNotNull().satisfies(lock -> {
            assertThat(lock.lock().waiting()).isEqualTo(waiting.size());
            assertThat(lock.waiters())
                    .extracting(LockListing.WaitingClaim::owner)
                    .isEqualTo(waiting.subList(0, LockListing.MAX_WAITERS));
        }));
    }

    @Test
    void aRepetitionKeepsItsPlaceAndItsNewsAreThoseOfTheLatestTry() {
        Claim first = claim("first");
        queue(first);
        queue(claim("second"));
        Refused again = queue(first);
        release(holder);
        assertThat(grant(again).remaining()).isGreaterThanOrEqualTo(LockStore.LONGEST_DIRECT_LEASE);
    }

    @Test
    void aNewcomerDoesNotOvertake() {
        Refused waiting = queue(claim("waiter"));
        release(holder);
        assertThat(acquire(claim("newcomer"), LONG, Duration.ZERO)).isInstanceOf(Refused.class);
        grant(waiting);
    }

    @Test
    void aClaimWithoutPatienceIsNotQueued() {
        Claim hasty = claim("hasty");
        assertThat(acquire(hasty, LONG, Duration.ZERO))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.queued()).isFalse());
        release(holder);
        assertThat(release(hasty).held()).isFalse();
        assertThat(acquire(claim("newcomer"), LONG, Duration.ZERO)).isInstanceOf(Granted.class);
    }

    @Test
    void aClaimThatIsWithdrawnIsPassedOver() {
        Claim gone = claim("gone");
        Refused goneWaiting = queue(gone);
        Refused next = queue(claim("next"));
        assertThat(release(gone).held()).isFalse();
        release(holder);
        grant(next);
        assertThat(isTold(goneWaiting)).isFalse();
    }

    @Test
    void aClaimThatIsWithdrawnAfterItsGrantPassesTheLockOn() {
        Claim gone = claim("gone");
        queue(gone);
        Refused next = queue(claim("next"));
        release(holder);
        assertThat(release(gone).held()).isTrue();
        grant(next);
    }

    @Test
    void aClaimWhosePatienceIsOverIsPassedOver() {
        Claim impatient = claim("impatient");
        acquire(impatient, LONG, Duration.ofMillis(1));
        Refused next = queue(claim("next"));
        await().pollDelay(patienceMargin().plusMillis(50))
                .atMost(patienceMargin().plusSeconds(20))
                .until(() -> true);
        release(holder);
        grant(next);
    }

    /** How much longer than its patience a claim may still be served. */
    protected abstract Duration patienceMargin();

    @Test
    void anExpiredLockIsTakenByAWaiterThatTriesAgain() {
        Claim gone = claim("gone");
        queue(gone, SHORT);
        Claim next = claim("next");
        queue(next);
        release(holder);
        await().until(() -> acquire(next, LONG, PATIENCE) instanceof Granted);
        Refused last = queue(claim("last"));
        assertThat(release(gone).held()).isFalse();
        assertThat(release(next).held()).isTrue();
        grant(last);
    }

    @Test
    void whoTookTheLockByATryIsNotQueuedAnyMore() {
        release(holder);
        Claim brief = claim("brief");
        acquire(brief, Duration.ofSeconds(2), PATIENCE);
        Claim waiter = claim("waiter");
        queue(waiter);
        await().until(() -> acquire(waiter, LONG, PATIENCE) instanceof Granted);
        release(waiter);
        assertThat(acquire(claim("newcomer"), LONG, Duration.ZERO)).isInstanceOf(Granted.class);
    }

    @Test
    void onceEverybodyHasGoneTheLockIsFree() {
        List<Claim> gone = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            gone.add(claim("waiter-" + i));
            queue(gone.get(i));
        }
        gone.forEach(this::release);
        release(holder);
        assertThat(acquire(claim("newcomer"), LONG, Duration.ZERO)).isInstanceOf(Granted.class);
    }

    @AfterEach
    void releaseAll() {
        claims.forEach(this::release);
        assertNothingIsLeft();
    }

    /** All claims are released: nothing of any queue is left where the store keeps it. */
    protected void assertNothingIsLeft() {}

    private Claim fenced(String name) {
        Claim claim = new Claim(id, name + "-" + UUID.randomUUID(), LockMode.EXCLUSIVE, true);
        claims.add(claim);
        return claim;
    }

    /** Some of them want a token, others do not: that makes no difference to their place. */
    private Claim claim(String name) {
        Claim claim = new Claim(id, name + "-" + UUID.randomUUID(), LockMode.EXCLUSIVE, name.hashCode() % 2 == 0);
        claims.add(claim);
        return claim;
    }

    private Refused queue(Claim claim) {
        return queue(claim, LONG);
    }

    private Refused queue(Claim claim, Duration ttl) {
        Refused refused = (Refused) acquire(claim, ttl, PATIENCE);
        assertThat(refused.queued()).isTrue();
        return refused;
    }

    private AcquireResult acquire(Claim claim, Duration ttl, Duration patience) {
        return join(store().acquire(claim, ttl, patience));
    }

    private boolean extend(Claim claim, long token) {
        return extend(claim, token, LONG);
    }

    private boolean extend(Claim claim, long token, Duration ttl) {
        return !join(store().extend(claim, token, ttl)).isZero();
    }

    private Release release(Claim claim) {
        return join(store().release(claim));
    }

    private static Granted grant(Refused refused) {
        Optional<Granted> news = join(refused.grantNotification());
        assertThat(news).isPresent();
        return news.get();
    }

    private static boolean isTold(Refused refused) {
        return refused.grantNotification().toCompletableFuture().isDone();
    }
}
