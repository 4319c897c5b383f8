package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The holder asks for more time and hears nothing: it may count on nothing, and gives up in time. */
class LostRenewalReplyTest extends FaultTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int TRIES = 5;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void f10ALockOutlivesRenewalsWhoseRepliesAreLost(int times) {
        LockHandle lock = take(client(relay.uri(), TTL.multipliedBy(2), COMMAND_TIMEOUT), LockRequest.of("42"));
        for (int i = 0; i < times; i++) {
            relay.holdWhen(Direction.REPLIES, FaultTest::isExtend)
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();
            relay.cut(Cut.RST);
            relay.deliver(Direction.REPLIES);
        }
        awaitRenewal(lock);
        assertThat(isLost(lock)).isFalse();
        lock.release();
        awaitGone();
    }

    @Test
    void f10ARenewalWithoutAReplyIsRepeatedAndDoesNotMoveTheDeadline() {
        LockHandle lock = take(patient(relay.uri()), LockRequest.of("42"));
        relay.holdWhen(Direction.REPLIES, FaultTest::isExtend)
                .thenCompose(renewal -> relay.holdWhen(Direction.REPLIES, FaultTest::isExtend))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        await().atMost(LONG).until(() -> pttl() > lock.remaining().toMillis() + 500);
        Duration left = lock.remaining();
        assertThat(left).isPositive();
        relay.deliver(Direction.REPLIES);
        await().atMost(LONG).until(() -> lock.remaining().compareTo(left) > 0);
        lock.release();
    }

    @Test
    void f11AHolderThatCanNotRenewIsToldBeforeRedisCouldGiveTheLockAway() {
        assertToldBeforeTheKeyExpires(LockRequest.of("42"));
    }

    @Test
    void f11AHolderWithATtlIsToldBeforeRedisCouldGiveTheLockAway() {
        assertToldBeforeTheKeyExpires(LockRequest.of("42").withTtl(TTL));
    }

    @Test
    void f11AHandleNeverSaysHeldOnceRedisHasLetGoOfTheKey() {
        LockHandle lock = take("42");
        hold();
        await().atMost(LONG).pollInterval(1, TimeUnit.MILLISECONDS).until(() -> {
            boolean gone = !isInRedis();
            assertThat(gone && lock.isHeld()).isFalse();
            return gone;
        });
        heal();
        awaitClean();
        assertStaysLost(lock);
    }

    @Test
    void f11AnExtensionThatArrivesAfterTheLossDoesNotBringTheLockBack() {
        LockHandle lock = take("42");
        relay.holdWhen(Direction.REQUESTS, FaultTest::isExtend);
        lock.extendAsync(TWO_HOURS);
        lock.lost().thenRun(this::heal);
        awaitLoss(lock);
        awaitGone();
        awaitClean();
        assertStaysLost(lock);
    }

    private void hold() {
        relay.hold(Direction.REQUESTS);
        relay.hold(Direction.REPLIES);
    }

    private void heal() {
        relay.deliver(Direction.REQUESTS);
        relay.deliver(Direction.REPLIES);
    }

    /**
     * A machine that stands still can delay the signal, though never what the handle says; so the signal gets a few
     * tries.
     */
    private void assertToldBeforeTheKeyExpires(LockRequest request) {
        boolean toldInTime = false;
        for (int i = 0; i < TRIES && !toldInTime; i++) {
            LockHandle lock = take(client(relay.uri()), request);
            hold();
            toldInTime = lock.lost()
                    .thenApply(reason -> isInRedis())
                    .toCompletableFuture()
                    .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS)
                    .join();
            awaitGone();
            heal();
            assertStaysLost(lock);
        }
        assertThat(toldInTime).isTrue();
    }

    private void assertStaysLost(LockHandle lock) {
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.remaining()).isZero();
        assertThatThrownBy(lock::release)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE));
    }
}
