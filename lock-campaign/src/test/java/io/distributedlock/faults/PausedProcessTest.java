package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.ForwardingLockStore;
import io.distributedlock.testkit.process.ChildJvm;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A holder stands still for longer than its lease: by its garbage collector, by a signal, or because its machine has
 * other things to do.
 */
class PausedProcessTest extends FaultTest {

    /**
     * Holds the lock at the address in its first argument. It looks for a line on its standard input without ever
     * sleeping, so after a pause its next step is the question whether the lock is still held, and answers with what it
     * was told.
     */
    static final class Holder {

        public static void main(String[] arguments) throws IOException {
            LockClient client = newClient(arguments[0], TTL, COMMAND_TIMEOUT);
            LockHandle lock = take(client, LockRequest.of("42").withFencing());
            System.out.println("held " + lock.fencingToken());
            while (System.in.available() == 0) {
                Thread.onSpinWait();
            }
            boolean held = lock.isHeld();
            System.out.println("held " + held + ", remaining " + lock.remaining() + ", required " + required(lock));
            try {
                lock.release();
                System.out.println("released");
            } catch (LockException told) {
                System.out.println("told " + told.getClass().getSimpleName());
            }
            client.close();
        }

        private static boolean required(LockHandle lock) {
            try {
                lock.requireHeld();
                return true;
            } catch (LockLostException lost) {
                return false;
            }
        }
    }

    @Test
    void f32AProcessThatWasStoppedForLongerThanItsLeaseKnowsItAtItsFirstQuestion() {
        try (ChildJvm child = ChildJvm.start(Holder.class, server.uri())) {
            String held = child.awaitLine(line -> line.startsWith("held "));
            child.pause();
            awaitGone();
            LockHandle next = take(client, LockRequest.of("42").withFencing().withTtl(TWO_HOURS));
            assertThat(next.fencingToken()).isGreaterThan(Long.parseLong(held.substring("held ".length())));

            child.send("ask");
            child.resume();
            assertThat(child.awaitLine(line -> line.contains("remaining")))
                    .isEqualTo("held false, remaining PT0S, required false");
            assertThat(child.awaitLine(line -> true)).isEqualTo("told LockLostException");
            assertThat(child.exitCode()).isZero();

            assertThat(extend(next)).isTrue();
            next.release();
        }
    }

    /** The thread of all timers is stuck, so no caller but the one who asks can notice that the lease is over. */
    @Test
    void f32WhetherALockIsHeldIsComputedFromTheClockAndNotSetByATimer() {
        try (TimersStuckInRenewal stuck = new TimersStuckInRenewal(RedisLockStore.of(RedisURI.create(server.uri())));
                LockClient client = LockClient.builder(stuck)
                        .ttl(TTL)
                        .commandTimeout(COMMAND_TIMEOUT)
                        .build()) {
            take(client, LockRequest.of("warm-up")).release();
            LockHandle lock = take(client, LockRequest.of("42").withFencing());
            stuck.stickAtTheNextRenewal();
            await().until(stuck::isStuck);
            awaitGone();
            assertThat(isLost(lock)).isFalse();
            assertThat(lock.isHeld()).isFalse();
            assertThat(lock.remaining()).isEqualTo(Duration.ZERO);
            assertThatThrownBy(lock::release)
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            told -> assertThat(told.reason()).isEqualTo(LossReason.DEADLINE));
            assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        }
    }

    /**
     * Renewals are started by a timer: one that does not return keeps all others from running. It begins when the lock
     * is held: on a slow machine an acquire extends a late grant, on the thread of the reply, and renewals may begin
     * before it returns.
     */
    private static final class TimersStuckInRenewal extends ForwardingLockStore {

        private final CountDownLatch end = new CountDownLatch(1);
        private volatile boolean sticking;
        private volatile boolean stuck;

        TimersStuckInRenewal(LockStore store) {
            super(store);
        }

        void stickAtTheNextRenewal() {
            sticking = true;
        }

        boolean isStuck() {
            return stuck;
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            if (sticking) {
                stuck = true;
                awaitEnd();
            }
            return super.extend(claim, token, ttl);
        }

        private void awaitEnd() {
            try {
                end.await();
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            end.countDown();
            super.close();
        }
    }
}
