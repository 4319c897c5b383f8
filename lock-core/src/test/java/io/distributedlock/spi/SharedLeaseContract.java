package io.distributedlock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a store promises of the leases of those who share a lock: each has its own, and the lock is free when the last one ends. */
public abstract class SharedLeaseContract extends LockStoreContract {

    private static final Duration LONG = ContendedLock.LONG;
    private static final Duration SHORT = Duration.ofMillis(200);

    private final ContendedLock lock = new ContendedLock(this::store);

    @Test
    void repeatingAnAcquireTakesNoSecondShare() {
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
    void aReaderThatIsGoneLosesItsShareAndNobodyElse() {
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
    void aLockWhoseReadersAreAllGoneIsFreeWhenTheLastLeaseEnds() {
        lock.acquire(lock.reader(), SHORT);
        lock.acquire(lock.reader(), SHORT.multipliedBy(2));
        Claim writer = lock.writer();
        await().until(() -> lock.acquire(writer, LONG) instanceof Granted);
    }

    @Test
    void aWriterIsToldOfTheLongestLeaseThatIsLeft() {
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
    void anExtensionMovesTheEndOfOneShareOnly() {
        Claim kept = lock.reader();
        Claim brief = lock.reader();
        lock.acquire(kept, SHORT);
        lock.acquire(brief, SHORT);
        assertThat(lock.extend(kept, LONG)).isTrue();
        await().until(() -> !lock.extend(brief, Duration.ofMillis(1)));
        assertThat(lock.extend(kept, Duration.ofMillis(1))).isTrue();
        assertThat(((Granted) lock.acquire(kept, LONG)).remaining()).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void anExtensionAnswersWithWhatIsLeftOfItsOwnShare() {
        Claim brief = lock.reader();
        lock.acquire(brief, Duration.ofSeconds(5));
        lock.acquire(lock.reader(), LONG);
        assertThat(join(store().extend(brief, 1, Duration.ofMillis(1))))
                .isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
        assertThat(join(store().extend(brief, 1, LONG))).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void anExtensionNeverTakesAShare() {
        assertThat(lock.extend(lock.reader(), LONG)).isFalse();
        lock.grant(lock.reader());
        assertThat(lock.extend(lock.reader(), LONG)).isFalse();
        assertThat(lock.extend(lock.writer(), LONG)).isFalse();
    }

    @Test
    void anExtensionOfAShareRaisesTheFenceToItsToken() {
        Claim reader = lock.reader();
        long ahead = lock.grant(reader).token() + Duration.ofDays(1).toNanos() / 1_000;
        assertThat(join(store().extend(reader, ahead, LONG))).isPositive();
        assertThat(lock.grant(lock.reader()).token()).isGreaterThan(ahead);
    }
}
