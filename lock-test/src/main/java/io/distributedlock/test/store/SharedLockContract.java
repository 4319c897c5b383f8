package io.distributedlock.test.store;

import static io.distributedlock.test.store.ContendedLock.LONG;
import static io.distributedlock.test.store.ContendedLock.SHORT;
import static io.distributedlock.test.store.LockStoreContract.await;
import static io.distributedlock.test.store.LockStoreContract.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What a {@link LockStore} promises besides, if its locks can be shared: each reader has a lease and a token of its
 * own, and the lock is free when the last one ends. The test of the store implements it beside {@link
 * LockStoreContract}.
 */
public interface SharedLockContract {

    /** The store under test; the same one for all calls within a test. */
    LockStore store();

    @Test
    default void readersShareALockEachWithItsOwnToken() {
        ContendedLock lock = new ContendedLock(store());
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            tokens.add(lock.grant(lock.reader()).token());
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void aWriterIsRefusedUntilTheLastReaderHasLetGo() {
        ContendedLock lock = new ContendedLock(store());
        Claim first = lock.reader();
        Claim second = lock.reader();
        lock.grant(first);
        lock.grant(second);
        Claim writer = lock.writer();
        assertThat(lock.acquire(writer, LONG))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isPositive().isLessThanOrEqualTo(LONG));
        assertThat(lock.release(first)).isTrue();
        assertThat(lock.acquire(writer, LONG)).isInstanceOf(Refused.class);
        assertThat(lock.release(second)).isTrue();
        lock.grant(writer);
    }

    @Test
    default void aReaderIsRefusedWhileAWriterHoldsTheLock() {
        ContendedLock lock = new ContendedLock(store());
        Claim writer = lock.writer();
        lock.grant(writer);
        Claim reader = lock.reader();
        assertThat(lock.acquire(reader, LONG)).isInstanceOf(Refused.class);
        assertThat(lock.release(writer)).isTrue();
        lock.grant(reader);
    }

    @Test
    default void repeatingAnAcquireIsAGrantAlsoWhileAWriterWaits() {
        ContendedLock lock = new ContendedLock(store());
        Claim reader = lock.reader();
        lock.grant(reader);
        Claim writer = lock.writer();
        join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
        assertThat(lock.acquire(reader, LONG)).isInstanceOf(Granted.class);
        lock.release(writer);
    }

    @Test
    default void noMoreReadersAreLetInWhileAWriterWaits() {
        ContendedLock lock = new ContendedLock(store());
        Claim reader = lock.reader();
        lock.grant(reader);
        Claim writer = lock.writer();
        await().until(() -> {
            join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
            Claim newcomer = lock.reader();
            boolean refused = lock.acquire(newcomer, LONG) instanceof Refused;
            lock.release(newcomer);
            return refused;
        });
        lock.release(reader);
        await().until(() -> lock.acquire(writer, LONG) instanceof Granted);
    }

    @Test
    default void readersComeInAgainOnceTheWriterWaitsNoMore() {
        ContendedLock lock = new ContendedLock(store());
        lock.grant(lock.reader());
        Claim writer = lock.writer();
        join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
        lock.release(writer);
        await().until(() -> lock.acquire(lock.reader(), LONG) instanceof Granted);
    }

    @Test
    default void aWriterThatDoesNotWaitKeepsNoReaderOut() {
        ContendedLock lock = new ContendedLock(store());
        lock.grant(lock.reader());
        assertThat(lock.acquire(lock.writer(), LONG)).isInstanceOf(Refused.class);
        lock.grant(lock.reader());
    }

    @Test
    default void aReleaseOfAShareByAnotherOwnerChangesNothing() {
        ContendedLock lock = new ContendedLock(store());
        Claim reader = lock.reader();
        lock.grant(reader);
        assertThat(lock.release(lock.reader())).isFalse();
        assertThat(lock.acquire(lock.writer(), LONG)).isInstanceOf(Refused.class);
        assertThat(lock.extend(reader, LONG)).isTrue();
    }

    @Test
    default void allWhoShareALockAreFound() {
        assumeTrue(store() instanceof LockInspection);
        ContendedLock lock = new ContendedLock(store());
        Claim first = lock.reader();
        Claim second = lock.reader();
        lock.grant(first);
        lock.grant(second);
        StoredLock found = join(((LockInspection) store()).find(lock.id)).orElseThrow();
        assertThat(found.mode()).isEqualTo(LockMode.SHARED);
        assertThat(found.owners()).containsExactlyInAnyOrder(first.owner(), second.owner());
        assertThat(found.remaining()).isPositive().isLessThanOrEqualTo(LONG);
    }

    @Test
    default void noOtherIsThereWhileAWriterIs() throws Exception {
        ContendedLock lock = new ContendedLock(store());
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Callable<Integer>> all = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            boolean reads = thread > 1;
            all.add(() -> {
                int turns = 0;
                for (int i = 0; i < 60; i++) {
                    Claim claim = reads ? lock.reader() : lock.writer();
                    if (lock.acquire(claim, LONG) instanceof Granted) {
                        (reads ? readers : writers).incrementAndGet();
                        overlaps.addAndGet(writers.get() > 1 || (writers.get() > 0 && readers.get() > 0) ? 1 : 0);
                        (reads ? readers : writers).decrementAndGet();
                        assertThat(lock.release(claim)).isTrue();
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
        lock.grant(lock.writer());
    }

    @Test
    default void repeatingAnAcquireTakesNoSecondShare() {
        ContendedLock lock = new ContendedLock(store());
        Claim reader = lock.reader();
        lock.acquire(reader, Duration.ofSeconds(10));
        assertThat(lock.acquire(reader, LONG)).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.fresh()).isFalse();
            assertThat(granted.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        });
        assertThat(lock.release(reader)).isTrue();
        lock.grant(lock.writer());
    }

    @Test
    default void aReaderThatIsGoneLosesItsShareAndNoOther() {
        ContendedLock lock = new ContendedLock(store());
        Claim gone = lock.reader();
        Claim other = lock.reader();
        lock.acquire(gone, SHORT);
        lock.grant(other);
        await().until(() -> !lock.extend(gone, Duration.ofMillis(1)));
        assertThat(lock.release(gone)).isFalse();
        assertThat(lock.extend(other, LONG)).isTrue();
        assertThat(lock.release(other)).isTrue();
        lock.grant(lock.writer());
    }

    @Test
    default void aLockWhoseReadersAreAllGoneIsFreeWhenTheLastLeaseEnds() {
        ContendedLock lock = new ContendedLock(store());
        lock.acquire(lock.reader(), SHORT);
        lock.acquire(lock.reader(), SHORT.multipliedBy(2));
        Claim writer = lock.writer();
        await().until(() -> lock.acquire(writer, LONG) instanceof Granted);
    }

    @Test
    default void aWriterIsToldOfTheLongestLeaseThatIsLeft() {
        ContendedLock lock = new ContendedLock(store());
        Claim brief = lock.reader();
        Claim longer = lock.reader();
        lock.acquire(brief, Duration.ofSeconds(5));
        lock.acquire(longer, LONG);
        assertThat(((Refused) lock.acquire(lock.writer(), LONG)).retryAfter()).isGreaterThan(Duration.ofSeconds(10));
        lock.release(longer);
        assertThat(((Refused) lock.acquire(lock.writer(), LONG)).retryAfter())
                .isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    default void anExtensionMovesTheEndOfOneShareOnly() {
        ContendedLock lock = new ContendedLock(store());
        Claim kept = lock.reader();
        Claim brief = lock.reader();
        lock.acquire(kept, Duration.ofSeconds(5));
        lock.acquire(brief, SHORT);
        assertThat(lock.extend(kept, LONG)).isTrue();
        await().until(() -> !lock.extend(brief, Duration.ofMillis(1)));
        assertThat(lock.extend(kept, Duration.ofMillis(1))).isTrue();
        assertThat(((Granted) lock.acquire(kept, LONG)).remaining()).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    default void anExtensionAnswersWithWhatIsLeftOfItsOwnShare() {
        ContendedLock lock = new ContendedLock(store());
        Claim brief = lock.reader();
        lock.acquire(brief, Duration.ofSeconds(5));
        lock.acquire(lock.reader(), LONG);
        assertThat(join(store().extend(brief, 1, Duration.ofMillis(1))))
                .isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
        assertThat(join(store().extend(brief, 1, LONG))).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    default void anExtensionNeverTakesAShare() {
        ContendedLock lock = new ContendedLock(store());
        assertThat(lock.extend(lock.reader(), LONG)).isFalse();
        lock.grant(lock.reader());
        assertThat(lock.extend(lock.reader(), LONG)).isFalse();
        assertThat(lock.extend(lock.writer(), LONG)).isFalse();
    }

    @Test
    default void anExtensionOfAShareRaisesTheFenceToItsToken() {
        ContendedLock lock = new ContendedLock(store());
        Claim reader = lock.reader();
        long ahead = lock.grant(reader).token() + Duration.ofDays(1).toNanos() / 1_000;
        assertThat(join(store().extend(reader, ahead, LONG))).isPositive();
        assertThat(lock.grant(lock.reader()).token()).isGreaterThan(ahead);
    }
}
