package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.Cut;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The clock of the server jumps. What a jump does to locks is done here to their expiry and to the fence counter:
 * forward, leases end early; back, they last longer and the counter is ahead of the clock.
 */
class ServerClockTest extends FaultTest {

    private static final String FENCE = "lock:fence";
    private static final long HOUR_IN_MICROS = TimeUnit.HOURS.toMicros(1);

    @Test
    void f30AJumpForwardThatEndsALeaseIsToldAtTheNextRenewal() {
        LockHandle lock = take("42");
        jumpForward();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        assertThat(lock.isHeld()).isFalse();
        LockHandle next = take("42");
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        next.release();
    }

    @Test
    void f30AHolderThatLostItsLockToAJumpForwardDoesNotTouchTheNextOne() {
        LockHandle lock = take("42");
        jumpForward();
        LockHandle next = take(client(server.uri()), LockRequest.of("42").withFencing());
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        awaitClean();
        assertThat(extend(next)).isTrue();
        next.release();
    }

    @Test
    void f30AJumpBackProlongsALeaseOnlyUntilTheRelease() {
        LockHandle lock = take(client(relay.uri(), TTL, Duration.ofSeconds(1)), LockRequest.of("42"));
        jumpBack();
        awaitRenewals(3);
        assertThat(pttl()).isGreaterThan(TTL.multipliedBy(10).toMillis());
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f30AJumpBackDoesNotProlongALockWhoseTtlIsOver() {
        LockHandle lock = take(client, LockRequest.of("42").withFencing().withTtl(Duration.ofSeconds(1)));
        jumpBack();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        awaitGone();
        awaitClean();
    }

    @Test
    void f30TokensGoOnGrowingWhileTheCounterIsAheadOfTheClock() {
        take("43").release();
        long ahead = counter() + HOUR_IN_MICROS;
        server.command("SET", FENCE, String.valueOf(ahead));
        long last = 0;
        for (int i = 0; i < 5; i++) {
            try (LockHandle lock = take("42")) {
                assertThat(lock.fencingToken()).isGreaterThan(last);
                last = lock.fencingToken();
            }
        }
        assertThat(counter()).isEqualTo(ahead + 5);
    }

    /**
     * The worst case for a counter that follows the clock: the next token would be an hour behind that of the present
     * holder.
     */
    @Test
    void f30ARenewalRestoresACounterThatWasLostAfterTheClockFellBack() {
        take("43").release();
        server.command("SET", FENCE, String.valueOf(counter() + HOUR_IN_MICROS));
        LockHandle lock = take("42");
        long known = counter();
        server.command("DEL", FENCE);
        await().until(() -> server.command("EXISTS", FENCE), Long.valueOf(1)::equals);
        assertThat(counter()).isEqualTo(known);
        lock.release();
        try (LockHandle next = take("42")) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    /**
     * For the holder it is the same whether the server's clock ran ahead or its own stood still, as in a suspended
     * machine.
     */
    @Test
    void f33AHolderWhoseClockStoodStillWhileItsLeaseEndedIsToldWhenItReconnectsNotOnlyAtItsNextRenewal() {
        Duration ttl = Duration.ofMinutes(10);
        LockClient slow = client(relay.uri(), ttl, COMMAND_TIMEOUT);
        LockHandle lock = take(slow, LockRequest.of("42").withFencing());
        jumpForward();
        relay.cut(Cut.RST);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        try (LockHandle next = take("42")) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void f33ALockWithAnExplicitTtlIsCheckedAtAReconnectToo() {
        LockHandle lock = take(client, LockRequest.of("42").withFencing().withTtl(TWO_HOURS));
        jumpForward();
        relay.cut(Cut.RST);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    private void jumpForward() {
        server.command("PEXPIREAT", KEY, "1");
        assertThat(isInRedis()).isFalse();
    }

    private void jumpBack() {
        server.command("PEXPIRE", KEY, String.valueOf(Duration.ofMinutes(10).toMillis()));
    }

    private void awaitRenewals(int renewals) {
        long before = calls("getex");
        await().until(() -> calls("getex") >= before + renewals);
    }

    private long counter() {
        return Long.parseLong(String.valueOf(server.command("GET", FENCE)));
    }
}
