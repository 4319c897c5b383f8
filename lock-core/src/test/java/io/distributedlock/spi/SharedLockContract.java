package io.distributedlock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a store promises besides, if its locks can be shared. */
public abstract class SharedLockContract extends SharedLeaseContract {

    private static final Duration LONG = ContendedLock.LONG;

    private final ContendedLock lock = new ContendedLock(this::store);

    @Test
    void readersShareALockEachWithItsOwnToken() {
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            tokens.add(lock.grant(lock.reader()).token());
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aWriterIsRefusedUntilTheLastReaderHasLetGo() {
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
    void aReaderIsRefusedWhileAWriterHoldsTheLock() {
        Claim writer = lock.writer();
        lock.grant(writer);
        Claim reader = lock.reader();
        assertThat(lock.acquire(reader, LONG)).isInstanceOf(Refused.class);
        assertThat(lock.release(writer)).isTrue();
        lock.grant(reader);
    }

    @Test
    void repeatingAnAcquireIsAGrantAlsoWhileAWriterWaits() {
        Claim reader = lock.reader();
        lock.grant(reader);
        Claim writer = lock.writer();
        join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
        assertThat(lock.acquire(reader, LONG)).isInstanceOf(Granted.class);
        lock.release(writer);
    }

    @Test
    void noMoreReadersAreLetInWhileAWriterWaits() {
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
    void readersComeInAgainOnceTheWriterWaitsNoMore() {
        lock.grant(lock.reader());
        Claim writer = lock.writer();
        join(store().acquire(writer, LONG, Duration.ofSeconds(10)));
        lock.release(writer);
        await().until(() -> lock.acquire(lock.reader(), LONG) instanceof Granted);
    }

    @Test
    void aWriterThatDoesNotWaitKeepsNoReaderOut() {
        lock.grant(lock.reader());
        assertThat(lock.acquire(lock.writer(), LONG)).isInstanceOf(Refused.class);
        lock.grant(lock.reader());
    }

    @Test
    void aReleaseOfAShareByAnotherOwnerChangesNothing() {
        Claim reader = lock.reader();
        lock.grant(reader);
        assertThat(lock.release(lock.reader())).isFalse();
        assertThat(lock.acquire(lock.writer(), LONG)).isInstanceOf(Refused.class);
        assertThat(lock.extend(reader, LONG)).isTrue();
    }

    @Test
    void allWhoShareALockAreFound() {
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
}
