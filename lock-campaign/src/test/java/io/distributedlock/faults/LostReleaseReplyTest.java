package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.RelayConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The holder is done, and no caller knows whether Redis heard of it. */
class LostReleaseReplyTest extends FaultTest {

    private static final LockRequest NEXT =
            LockRequest.of("42").withFencing().withTtl(TWO_HOURS).withWaitTime(Duration.ofSeconds(20));

    @Test
    void f7AReleaseWhoseReplyIsLostIsASuccessForTheCaller() {
        LockHandle lock = take("42");
        relay.holdWhen(Direction.REPLIES, FaultTest::isRelease);
        lock.release();
        awaitGone();
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        awaitClean();
        assertThat(isLost(lock)).isFalse();
    }

    @Test
    void f7AConnectionThatIsClosedBeforeTheReplyToAReleaseIsNotTakenForALostLock() {
        LockHandle lock = take("42");
        relay.holdWhen(Direction.REPLIES, FaultTest::isRelease)
                .thenRun(() -> CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
                        .execute(() -> {
                            relay.cut(Cut.FIN);
                            relay.deliver(Direction.REPLIES);
                        }));
        lock.release();
        awaitGone();
        awaitClean();
        assertThat(isLost(lock)).isFalse();
    }

    @Test
    void f7AReleaseWithoutAReplyNeitherMasksNorMarksWhatTheWorkThrew() {
        LockClient patient = client(relay.uri(), TTL, Duration.ofSeconds(1));
        warmUp(patient);
        IllegalStateException thrown = new IllegalStateException("out of stock");
        relay.holdWhen(Direction.REPLIES, FaultTest::isRelease);
        assertThatThrownBy(() -> new LockTemplate(patient).run("42", lock -> {
                    throw thrown;
                }))
                .isSameAs(thrown)
                .hasNoSuppressedExceptions();
    }

    @Test
    void f8AReleaseThatNeverArrivedIsRepeatedAsSoonAsRedisCanBeReachedAgain() {
        LockHandle lock = take(client, LockRequest.of("42").withFencing().withTtl(TWO_HOURS));
        relay.holdWhen(Direction.REQUESTS, FaultTest::isRelease);
        lock.release();
        assertThat(isInRedis()).isTrue();
        relay.cut(Cut.RST);
        relay.deliver(Direction.REQUESTS);
        awaitGone();
        awaitClean();
        assertThat(isLost(lock)).isFalse();
    }

    @Test
    void f8ARenewedLockWhoseReleaseNeverSucceedsIsNotRenewedAnyMore() {
        try (CommandRelay failing = CommandRelay.to(server.port())) {
            AtomicInteger renewals = new AtomicInteger();
            failing.answer(words -> isRelease(String.join(" ", words)), "-ERR broken\r\n");
            failing.answer(words -> isExtend(String.join(" ", words)) && renewals.incrementAndGet() < 0, "");
            client = client(failing.uri());
            LockHandle lock = take("42");
            await().until(() -> renewals.get() > 0);
            lock.release();
            int before = renewals.get();
            awaitGone();
            assertThat(renewals).hasValue(before);
            assertThat(isLost(lock)).isFalse();
        }
    }

    @Test
    void f8AReleaseThatNeverArrivedIsRepeatedAsLongAsTheLastExtensionCouldHoldTheLock() {
        Duration ttl = Duration.ofSeconds(2);
        LockHandle lock = take(client, LockRequest.of("42").withFencing().withTtl(ttl));
        await().ignoreExceptions().until(() -> lock.extendAsync(TWO_HOURS).join());
        relay.holdWhen(Direction.REQUESTS, FaultTest::isRelease);
        lock.release();
        CompletableFuture.delayedExecutor(2 * ttl.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    relay.cut(Cut.RST);
                    relay.deliver(Direction.REQUESTS);
                });
        awaitGone();
        awaitClean();
    }

    @Test
    void f9ALateReleaseOfAnEarlierHoldLeavesTheNextHolderAlone() {
        LockHandle first = take("42");
        relay.holdWhen(Direction.REQUESTS, FaultTest::isRelease);
        first.release();
        relay.refuse(true);
        relay.cutClientSide(Cut.RST);
        LockHandle second = take(client(server.uri()), NEXT);
        await().until(() -> pttl() > TTL.toMillis() * 2);
        long before = comparisons();
        relay.deliver(Direction.REQUESTS);
        await().until(() -> relay.connections().isEmpty());
        assertThat(comparisons()).isGreaterThan(before);
        assertThat(isInRedis()).isTrue();
        second.release();
        awaitGone();
    }

    @Test
    void f9ALateReleaseOfAnEarlierHoldLeavesTheNextHoldOfTheSameClientAlone() {
        try (CommandRelay undropping = CommandRelay.to(server.port())) {
            undropping.answer(words -> words.contains("KILL"), ":0\r\n");
            client = client(undropping.uri());
            LockHandle first = take("42");
            RelayConnection old = undropping.relay().connections().get(0);
            old.holdWhen(Direction.REQUESTS, FaultTest::isRelease);
            first.release();
            old.cutClientSide(Cut.RST);
            LockHandle second = take(client, NEXT);
            await().until(() -> pttl() > TTL.toMillis() * 2);
            long before = comparisons();
            old.deliver(Direction.REQUESTS);
            await().until(() -> !undropping.relay().connections().contains(old));
            assertThat(comparisons()).isGreaterThan(before);
            assertThat(isInRedis()).isTrue();
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
            second.release();
            awaitGone();
            awaitClean();
        }
    }
}
