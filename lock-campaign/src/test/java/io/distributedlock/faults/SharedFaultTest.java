package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What befalls one reader is its own matter: the others keep their shares, and a writer waits for those only that are
 * really held.
 */
class SharedFaultTest extends FaultTest {

    private static final LockRequest READING = LockRequest.of("42").shared();
    private static final LockRequest WRITING = LockRequest.of("42").withWaitTime(Duration.ofSeconds(30));
    private static final String SHARES = KEY + ":r";
    private static final int MANY = 20;

    private LockClient direct;

    /** Holds a renewed share through the address in its first argument until it is killed, and says so. */
    static final class Reader {

        public static void main(String[] arguments) {
            LockClient client = newClient(arguments[0], TTL, Duration.ofSeconds(1));
            take(client, READING);
            System.out.println("held");
            new CompletableFuture<>().join();
        }
    }

    /**
     * Waits for the lock alone, for as long as it takes, through the address in its first argument until it is killed.
     */
    static final class Writer {

        public static void main(String[] arguments) {
            take(newClient(arguments[0], TTL, Duration.ofSeconds(1)), WRITING.withWaitTime(Duration.ofHours(1)));
        }
    }

    @BeforeEach
    void warmUpShares() {
        LockHandle share = take(client, LockRequest.of("warm-up").shared());
        await().ignoreExceptions().until(() -> share.extendAsync(TTL).join());
        share.release();
        awaitClean();
        direct = patient(server.uri());
    }

    private long shares() {
        long now = System.currentTimeMillis();
        return (Long) server.command("ZCOUNT", SHARES, "(" + now, "+inf");
    }

    private void awaitShares(long count) {
        await().until(() -> shares() == count);
    }

    private void awaitWaiters(long count) {
        await().until(() -> server.command("ZCARD", KEY + ":q").equals(count));
    }

    private void heal(Direction direction) {
        relay.cut(Cut.RST);
        relay.deliver(direction);
        awaitClean();
    }

    @Test
    void aShareWhoseReplyIsLostIsTakenBackAndTheOthersStay() {
        LockHandle other = take(direct, READING);
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRun(() -> relay.hold(Direction.REQUESTS));
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class,
                () -> client.acquire(READING.withWaitTime(Duration.ZERO).withTtl(TWO_HOURS)));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(shares()).isEqualTo(2);
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        relay.deliver(Direction.REQUESTS);
        awaitShares(1);
        awaitClean();
        assertThat(other.isHeld()).isTrue();
        assertThat(pttl()).isLessThanOrEqualTo(PATIENT_TTL.toMillis());
        other.release();
        awaitGone();
    }

    @Test
    void aReleaseOfAShareWhoseReplyIsLostIsASuccess() {
        LockHandle other = take(direct, READING);
        LockHandle share = take(client, READING);
        relay.holdWhen(Direction.REPLIES, FaultTest::isRelease);
        share.release();
        awaitShares(1);
        heal(Direction.REPLIES);
        assertThat(isLost(share)).isFalse();
        assertThat(other.isHeld()).isTrue();
        other.release();
        awaitGone();
    }

    @Test
    void aReleaseOfAShareThatNeverArrivedIsRepeatedAsSoonAsRedisCanBeReachedAgain() {
        LockHandle other = take(direct, READING);
        LockHandle share = take(client, READING.withTtl(TWO_HOURS));
        relay.holdWhen(Direction.REQUESTS, FaultTest::isRelease);
        share.release();
        assertThat(shares()).isEqualTo(2);
        heal(Direction.REQUESTS);
        awaitShares(1);
        assertThat(isLost(share)).isFalse();
        assertThat(other.isHeld()).isTrue();
        other.release();
        awaitGone();
    }

    @Test
    void aReaderThatIsKilledLosesItsOwnShareAndAWriterWaitsForTheOthersOnly() {
        LockHandle other = take(direct, READING);
        try (ChildJvm child = ChildJvm.start(Reader.class, server.uri())) {
            child.awaitLine("held"::equals);
            assertThat(shares()).isEqualTo(2);
            child.kill();
        }
        CompletableFuture<LockHandle> writing = client.acquireAsync(WRITING);
        awaitShares(1);
        assertThat(other.isHeld()).isTrue();
        assertThat(writing).isNotDone();
        other.release();
        writing.orTimeout(20, TimeUnit.SECONDS).join().release();
        awaitGone();
    }

    @Test
    void aWriterThatWaitsBehindAReaderThatIsGoneGetsTheLockWhenTheShareEnds() {
        take(client, READING.withTtl(Duration.ofSeconds(5)));
        relay.refuse(true);
        relay.cut(Cut.RST);
        CompletableFuture<LockHandle> writing = direct.acquireAsync(WRITING);
        awaitWaiters(1);
        assertThat(shares()).isEqualTo(1);
        writing.orTimeout(20, TimeUnit.SECONDS).join().release();
        awaitGone();
    }

    @Test
    void theLossOfASharedLockThatWasDeletedIsToldOnceToEachReader() {
        assertLossIsToldOnce(
                "DEL",
                LossReason.NOT_OWNER,
                row -> row.keys().forEach(key -> server.command("DEL", LossRow.redisKey(key))));
    }

    @Test
    void theLossOfASharedLockThatWasFlushedIsToldOnceToEachReader() {
        assertLossIsToldOnce("FLUSHALL", LossReason.NOT_OWNER, row -> server.command("FLUSHALL"));
    }

    @Test
    void theLossOfASharedLockBehindABlackHoleIsToldOnceToEachReader() {
        assertLossIsToldOnce("black hole", LossReason.DEADLINE, row -> {
            relay.hold(Direction.REQUESTS);
            relay.hold(Direction.REPLIES);
        });
    }

    @Test
    void aWriterThatIsKilledWhileItWaitsKeepsNoReaderOut() {
        LockHandle share = take(direct, READING);
        LockClient other = patient(server.uri());
        Object processes = processesThatWait();
        try (ChildJvm child = ChildJvm.start(Writer.class, server.uri())) {
            awaitWaiters(1);
            assertThat(catchThrowableOfType(
                            LockNotAcquiredException.class, () -> other.acquire(READING.withWaitTime(Duration.ZERO))))
                    .isNotNull();
            child.kill();
        }
        await().until(() -> processesThatWait().equals(processes));
        other.acquire(READING.withWaitTime(Duration.ZERO)).release();
        assertThat(server.command("EXISTS", KEY + ":q")).isEqualTo(0L);
        assertThat(share.isHeld()).isTrue();
        share.release();
        awaitGone();
    }

    /** Those whose messages the server still hears about. */
    private Object processesThatWait() {
        return ((List<?>) server.command("PUBSUB", "CHANNELS", "lock:grants:*")).size();
    }

    @Tag("long")
    @Test
    void aWriterWhoseProcessHasVanishedKeepsReadersOutForSecondsOnly() {
        LockHandle share = take(direct, READING);
        CompletableFuture<LockHandle> writing = client.acquireAsync(WRITING.withWaitTime(Duration.ofHours(1)));
        awaitWaiters(1);
        relay.hold(Direction.REQUESTS);
        relay.hold(Direction.REPLIES);
        LockClient other = client(server.uri());
        LockHandle next = take(other, READING.withWaitTime(Duration.ofSeconds(60)));
        assertThat(share.isHeld()).isTrue();
        next.release();
        share.release();
        writing.cancel(false);
    }

    @Test
    void aWriterThatWaitsKeepsReadersOutForAsLongAsItLooks() {
        LockHandle share = take(direct, READING);
        CompletableFuture<LockHandle> writing = client.acquireAsync(WRITING.withWaitTime(Duration.ofHours(1)));
        awaitWaiters(1);
        LockClient other = patient(server.uri());
        long first = closedUntil();
        await().until(() -> closedUntil() > first);
        assertThat(catchThrowableOfType(
                        LockNotAcquiredException.class, () -> other.acquire(READING.withWaitTime(Duration.ZERO))))
                .isNotNull();
        share.release();
        writing.orTimeout(20, TimeUnit.SECONDS).join().release();
        awaitGone();
    }

    /** No share is given before, as long as the writer is there. */
    private long closedUntil() {
        return Long.parseLong(String.valueOf(server.command("GET", KEY)).split(" ")[1]);
    }

    private interface Injection {
        void into(LossRow row);
    }

    private void assertLossIsToldOnce(String cause, LossReason reason, Injection injection) {
        try (LossRow row = new LossRow(cause, Set.of(reason), relay.uri(), TTL)) {
            row.hold(MANY, LockRequest::shared);
            row.injected();
            injection.into(row);
            row.assertEachIsToldOnce();
            assertThat(row.injections()).isPositive();
            relay.deliver(Direction.REQUESTS);
            relay.deliver(Direction.REPLIES);
        }
    }
}
