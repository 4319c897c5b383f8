package io.distributedlock.test.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a {@link LockStore} promises that has both a queue and locks that can be shared: how claims that share a lock,
 * and others that want it alone, wait in one queue.
 */
public abstract class SharedQueueContract extends LockQueueContract implements SharedLockContract {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String id = "mixed:" + UUID.randomUUID();
    private final List<Claim> claims = new ArrayList<>();

    @AfterEach
    void releaseShares() {
        claims.forEach(this::release);
    }

    @Test
    void theReleaseOfAWriterLetsInAllReadersUpToTheNextWriter() {
        Claim holder = held(writer());
        Refused first = queue(reader());
        Refused second = queue(reader());
        Refused next = queue(writer());
        Refused behind = queue(reader());
        release(holder);
        assertThat(grant(first).token()).isLessThan(grant(second).token());
        assertThat(isTold(next) || isTold(behind)).isFalse();
    }

    @Test
    void theLastReaderPassesTheLockToTheWriterThatWaits() {
        Claim first = held(reader());
        Claim last = held(reader());
        Refused writer = queue(writer());
        release(first);
        assertThat(isTold(writer)).isFalse();
        release(last);
        grant(writer);
        assertThat(acquire(reader(), LONG, Duration.ZERO)).isInstanceOf(Refused.class);
    }

    @Test
    void aWriterPassesTheLockToTheReadersThatWaitBehindIt() {
        Claim reader = held(reader());
        Claim writer = writer();
        Refused writerWaits = queue(writer);
        Refused behind = queue(reader());
        release(reader);
        grant(writerWaits);
        assertThat(isTold(behind)).isFalse();
        release(writer);
        grant(behind);
    }

    @Test
    void readersThatWaitBehindAWriterComeInWhenItGivesUp() {
        held(reader());
        Claim writer = writer();
        queue(writer);
        Refused first = queue(reader());
        Refused second = queue(reader());
        assertThat(release(writer).held()).isFalse();
        grant(first);
        grant(second);
    }

    @Test
    void aShareThatIsGrantedToAClaimThatHasGoneIsPassedOn() {
        Claim holder = held(writer());
        Claim gone = reader();
        queue(gone);
        Refused writer = queue(writer());
        release(holder);
        assertThat(release(gone).held()).isTrue();
        grant(writer);
    }

    @Test
    void aReaderThatWaitsHoldsItsShareOnceItIsTold() {
        Claim holder = held(writer());
        Claim reader = reader();
        Refused waiting = queue(reader);
        release(holder);
        Granted granted = grant(waiting);
        assertThat(join(store().extend(reader, granted.token(), LONG))).isPositive();
        assertThat(acquire(reader, LONG, PATIENCE)).isInstanceOfSatisfying(Granted.class, again -> {
            assertThat(again.fresh()).isFalse();
            assertThat(again.remaining()).isGreaterThan(LockStore.LONGEST_DIRECT_LEASE);
        });
        assertThat(release(reader).held()).isTrue();
        assertThat(acquire(writer(), LONG, Duration.ZERO)).isInstanceOf(Granted.class);
    }

    @Test
    void aWriterGetsItsTurnInAStreamOfReaders() {
        Claim present = held(reader());
        Claim writer = writer();
        Refused waiting = queue(writer);
        for (int i = 0; i < 20; i++) {
            Claim next = reader();
            assertThat(acquire(next, LONG, PATIENCE)).isInstanceOf(Refused.class);
            release(next);
        }
        release(present);
        grant(waiting);
    }

    @Test
    void aWriterThatTriesAgainTakesALockWhoseReadersHaveGone() {
        acquire(reader(), Duration.ofSeconds(2), Duration.ZERO);
        Claim writer = writer();
        queue(writer);
        await().until(() -> acquire(writer, LONG, PATIENCE) instanceof Granted);
    }

    private Claim reader() {
        return known(new Claim(id, UUID.randomUUID().toString(), LockMode.SHARED));
    }

    private Claim writer() {
        return known(new Claim(id, UUID.randomUUID().toString()));
    }

    private Claim known(Claim claim) {
        claims.add(claim);
        return claim;
    }

    private Claim held(Claim claim) {
        assertThat(acquire(claim, LONG, PATIENCE)).isInstanceOf(Granted.class);
        return claim;
    }

    private Refused queue(Claim claim) {
        Refused refused = (Refused) acquire(claim, LONG, PATIENCE);
        assertThat(refused.queued()).isTrue();
        return refused;
    }

    private AcquireResult acquire(Claim claim, Duration ttl, Duration patience) {
        return join(store().acquire(claim, ttl, patience));
    }

    private Release release(Claim claim) {
        return join(store().release(claim));
    }

    private static Granted grant(Refused refused) {
        return join(refused.grantNotification()).orElseThrow();
    }

    private static boolean isTold(Refused refused) {
        return refused.grantNotification().toCompletableFuture().isDone();
    }
}
