package io.distributedlock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Attempt.Granted;
import io.distributedlock.spi.Attempt.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a store promises besides, if its locks can be shared. */
public abstract class SharedLockContract extends LockStoreContract {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final String id = "shared:" + UUID.randomUUID();

    @Test
    void readersShareALockEachWithItsOwnToken() {
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            tokens.add(grant(reader()).token());
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aWriterIsRefusedUntilTheLastReaderHasLetGo() {
        Claim first = reader();
        Claim second = reader();
        grant(first);
        grant(second);
        Claim writer = writer();
        assertThat(acquire(writer, LONG))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isPositive().isLessThanOrEqualTo(LONG));
        assertThat(release(first)).isTrue();
        assertThat(acquire(writer, LONG)).isInstanceOf(Refused.class);
        assertThat(release(second)).isTrue();
        grant(writer);
    }

    @Test
    void aReaderIsRefusedWhileAWriterHoldsTheLock() {
        Claim writer = writer();
        grant(writer);
        Claim reader = reader();
        assertThat(acquire(reader, LONG)).isInstanceOf(Refused.class);
        assertThat(release(writer)).isTrue();
        grant(reader);
    }

    @Test
    void repeatingAnAcquireTakesNoSecondShare() {
        Claim reader = reader();
        acquire(reader, Duration.ofSeconds(10));
        assertThat(acquire(reader, LONG)).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.fresh()).isFalse();
            assertThat(granted.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        });
        assertThat(release(reader)).isTrue();
        grant(writer());
    }

    @Test
    void repeatingAnAcquireIsAGrantAlsoWhileAWriterWaits() {
        Claim reader = reader();
        grant(reader);
        Claim writer = writer();
        join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
        assertThat(acquire(reader, LONG)).isInstanceOf(Granted.class);
        release(writer);
    }

    @Test
    void noMoreReadersAreLetInWhileAWriterWaits() {
        Claim reader = reader();
        grant(reader);
        Claim writer = writer();
        await().atMost(10, TimeUnit.SECONDS).until(() -> {
            join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
            Claim newcomer = reader();
            boolean refused = acquire(newcomer, LONG) instanceof Refused;
            release(newcomer);
            return refused;
        });
        release(reader);
        await().atMost(10, TimeUnit.SECONDS).until(() -> acquire(writer, LONG) instanceof Granted);
    }

    @Test
    void readersComeInAgainOnceTheWriterWaitsNoMore() {
        grant(reader());
        Claim writer = writer();
        join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
        release(writer);
        await().atMost(10, TimeUnit.SECONDS).until(() -> acquire(reader(), LONG) instanceof Granted);
    }

    @Test
    void aWriterThatDoesNotWaitKeepsNoReaderOut() {
        grant(reader());
        assertThat(acquire(writer(), LONG)).isInstanceOf(Refused.class);
        grant(reader());
    }

    @Test
    void aReaderThatIsGoneLosesItsShareAndNobodyElse() {
        Claim gone = reader();
        Claim other = reader();
        acquire(gone, SHORT);
        grant(other);
        await().atMost(10, TimeUnit.SECONDS).until(() -> !extend(gone, Duration.ofMillis(1)));
        assertThat(release(gone)).isFalse();
        assertThat(extend(other, LONG)).isTrue();
        assertThat(release(other)).isTrue();
        grant(writer());
    }

    @Test
    void aLockWhoseReadersAreAllGoneIsFreeWhenTheLastLeaseEnds() {
        acquire(reader(), SHORT);
        acquire(reader(), SHORT.multipliedBy(2));
        Claim writer = writer();
        await().atMost(10, TimeUnit.SECONDS).until(() -> acquire(writer, LONG) instanceof Granted);
    }

    @Test
    void aWriterIsToldOfTheLongestLeaseThatIsLeft() {
        Claim brief = reader();
        Claim longer = reader();
        acquire(brief, Duration.ofSeconds(5));
        acquire(longer, LONG);
        assertThat(((Refused) acquire(writer(), LONG)).retryAfter()).isGreaterThan(Duration.ofSeconds(10));
        release(longer);
        assertThat(((Refused) acquire(writer(), LONG)).retryAfter()).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void anExtensionMovesTheEndOfOneShareOnly() {
        Claim kept = reader();
        Claim brief = reader();
        acquire(kept, SHORT);
        acquire(brief, SHORT);
        assertThat(extend(kept, LONG)).isTrue();
        await().atMost(10, TimeUnit.SECONDS).until(() -> !extend(brief, Duration.ofMillis(1)));
        assertThat(extend(kept, Duration.ofMillis(1))).isTrue();
        assertThat(((Granted) acquire(kept, LONG)).remaining()).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void anExtensionNeverTakesAShare() {
        assertThat(extend(reader(), LONG)).isFalse();
        grant(reader());
        assertThat(extend(reader(), LONG)).isFalse();
        assertThat(extend(writer(), LONG)).isFalse();
    }

    @Test
    void anExtensionOfAShareRaisesTheFenceToItsToken() {
        Claim reader = reader();
        long ahead = grant(reader).token() + Duration.ofDays(1).toNanos() / 1_000;
        assertThat(join(store().extend(reader, ahead, LONG))).isTrue();
        assertThat(grant(reader()).token()).isGreaterThan(ahead);
    }

    @Test
    void aReleaseByAnotherOwnerChangesNothing() {
        Claim reader = reader();
        grant(reader);
        assertThat(release(reader())).isFalse();
        assertThat(acquire(writer(), LONG)).isInstanceOf(Refused.class);
        assertThat(extend(reader, LONG)).isTrue();
    }

    @Test
    void allWhoShareALockAreFound() {
        Claim first = reader();
        Claim second = reader();
        grant(first);
        grant(second);
        StoredLock found = join(((LockInspection) store()).find(id)).orElseThrow();
        assertThat(found.mode()).isEqualTo(LockMode.SHARED);
        assertThat(found.owners()).containsExactlyInAnyOrder(first.owner(), second.owner());
        assertThat(found.remaining()).isPositive().isLessThanOrEqualTo(LONG);
    }

    @Test
    void nobodyElseIsThereWhileAWriterIs() throws Exception {
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Callable<Integer>> all = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            boolean reads = thread > 1;
            all.add(() -> {
                int turns = 0;
                for (int i = 0; i < 60; i++) {
                    Claim claim = reads ? reader() : writer();
                    if (acquire(claim, LONG) instanceof Granted) {
                        (reads ? readers : writers).incrementAndGet();
                        overlaps.addAndGet(writers.get() > 1 || (writers.get() > 0 && readers.get() > 0) ? 1 : 0);
                        (reads ? readers : writers).decrementAndGet();
                        assertThat(release(claim)).isTrue();
                        turns++;
                    }
                }
                return turns;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(all.size());
        try {
            for (Future<Integer> turns : threads.invokeAll(all)) {
                assertThat(turns.get()).isNotNegative();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(overlaps).hasValue(0);
        grant(writer());
    }

    private Claim reader() {
        return new Claim(id, UUID.randomUUID().toString(), LockMode.SHARED);
    }

    private Claim writer() {
        return new Claim(id, UUID.randomUUID().toString());
    }

    private Granted grant(Claim claim) {
        Attempt attempt = acquire(claim, LONG);
        assertThat(attempt).isInstanceOf(Granted.class);
        return (Granted) attempt;
    }

    private Attempt acquire(Claim claim, Duration ttl) {
        return join(store().acquire(claim, ttl));
    }

    private boolean extend(Claim claim, Duration ttl) {
        return join(store().extend(claim, 1, ttl));
    }

    private boolean release(Claim claim) {
        return join(store().release(claim)).held();
    }
}
