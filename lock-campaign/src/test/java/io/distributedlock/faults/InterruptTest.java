package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread is interrupted, at each point at which it can be waiting inside a call. */
class InterruptTest extends FaultTest {

    private static final LockRequest PATIENT = LockRequest.of("42").withWaitTime(Duration.ofMinutes(2));

    /** The test has the whole time of a command to interrupt it, also on a busy machine. */
    @BeforeEach
    void giveCommandsTime() {
        client = client(relay.uri(), Duration.ofSeconds(15), Duration.ofSeconds(3));
        warmUp(client);
        awaitClean();
    }

    /** A call on a thread of its own, and what that thread had to say at its end. */
    private static final class Caller {

        private record End(@Nullable LockException thrown, boolean flag) {}

        private final CompletableFuture<End> end = new CompletableFuture<>();
        private final Thread thread;

        Caller(Runnable call) {
            thread = new Thread(() -> end.complete(ending(call)));
            thread.setDaemon(true);
            thread.start();
        }

        private static End ending(Runnable call) {
            LockException thrown = null;
            try {
                call.run();
            } catch (LockException failure) {
                thrown = failure;
            }
            return new End(thrown, Thread.currentThread().isInterrupted());
        }

        Caller awaitSuspended() {
            await().until(() ->
                    thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
            return this;
        }

        void interrupt() {
            thread.interrupt();
        }

        End end() {
            return end.orTimeout(20, TimeUnit.SECONDS).join();
        }
    }

    @Test
    void f44AThreadThatWasInterruptedBeforeItsCallGetsNoLockAndKeepsItsFlag() {
        assertWithdrawn(new Caller(() -> {
            Thread.currentThread().interrupt();
            client.acquire("42");
        }));
        awaitGone();
        awaitClean();
    }

    @Test
    void f44AnInterruptWhileTheConnectionIsBeingOpenedWithdrawsTheCall() {
        relay.hold(Direction.REPLIES);
        LockClient unconnected = client(relay.uri());
        Caller caller = new Caller(() -> unconnected.acquire(PATIENT)).awaitSuspended();
        caller.interrupt();
        assertWithdrawn(caller);
        relay.deliver(Direction.REPLIES);
        awaitServiceFor(unconnected);
    }

    @Test
    void f44AnInterruptBeforeTheRequestHasArrivedWithdrawsIt() {
        CompletableFuture<?> sent = relay.holdWhen(Direction.REQUESTS, FaultTest::isAcquire);
        Caller caller = new Caller(() -> client.acquire(PATIENT.withTtl(TWO_HOURS))).awaitSuspended();
        sent.join();
        caller.interrupt();
        assertWithdrawn(caller);
        assertThat(isInRedis()).isFalse();
        relay.deliver(Direction.REQUESTS);
        awaitClean();
        assertThat(isInRedis()).isFalse();
        awaitServiceFor(client);
    }

    @Test
    void f44AnInterruptBeforeTheReplyHasArrivedWithdrawsTheClaim() {
        CompletableFuture<?> sent =
                relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRun(() -> relay.hold(Direction.REQUESTS));
        Caller caller = new Caller(() -> client.acquire(PATIENT.withTtl(TWO_HOURS))).awaitSuspended();
        sent.join();
        await().until(this::isInRedis);
        caller.interrupt();
        assertWithdrawn(caller);
        relay.deliver(Direction.REQUESTS);
        relay.deliver(Direction.REPLIES);
        awaitGone();
        awaitClean();
    }

    @Test
    void f44AnInterruptWhileTheOutcomeIsBeingConfirmedWithdrawsTheClaim() {
        CompletableFuture<?> confirming = relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire)
                .thenCompose(first -> relay.holdWhen(Direction.REQUESTS, FaultTest::isAcquire));
        Caller caller = new Caller(() -> client.acquire(PATIENT.withTtl(TWO_HOURS))).awaitSuspended();
        confirming.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(isInRedis()).isTrue();
        caller.interrupt();
        assertWithdrawn(caller);
        relay.deliver(Direction.REQUESTS);
        relay.deliver(Direction.REPLIES);
        awaitGone();
        awaitClean();
    }

    @Test
    void f44AnInterruptBehindAnotherHolderWithdrawsTheWaiterAndLeavesTheHolderAlone() {
        LockHandle holder = take(client(server.uri()), LockRequest.of("42"));
        Caller caller = new Caller(() -> client.acquire(PATIENT));
        long before = calls("evalsha");
        await().until(() -> calls("evalsha") > before + 3);
        caller.interrupt();
        assertWithdrawn(caller);
        awaitClean();
        assertThat(extend(holder)).isTrue();
        holder.release();
        awaitServiceFor(client);
    }

    @Test
    void f44AReleaseIsNotInterrupted() {
        LockHandle lock = take("42");
        CompletableFuture<?> sent = relay.holdWhen(Direction.REPLIES, FaultTest::isRelease);
        Caller caller = new Caller(lock::release).awaitSuspended();
        sent.join();
        caller.interrupt();
        relay.deliver(Direction.REPLIES);
        assertThat(caller.end()).isEqualTo(new Caller.End(null, true));
        assertThat(isInRedis()).isFalse();
        awaitServiceFor(client);
    }

    @Test
    void f44AnInterruptedReleaseThatIsNotAnsweredIsStillRepeatedUntilItIs() {
        LockHandle lock = take(client, LockRequest.of("42").withTtl(TWO_HOURS));
        CompletableFuture<?> sent = relay.holdWhen(Direction.REQUESTS, FaultTest::isRelease);
        Caller caller = new Caller(lock::release).awaitSuspended();
        sent.join();
        caller.interrupt();
        assertThat(caller.end()).isEqualTo(new Caller.End(null, true));
        assertThat(isInRedis()).isTrue();
        relay.deliver(Direction.REQUESTS);
        awaitGone();
        awaitClean();
    }

    @Test
    void f44AThreadThatWasInterruptedBeforeItsReleaseStillReleases() {
        LockHandle lock = take("42");
        Caller caller = new Caller(() -> {
            Thread.currentThread().interrupt();
            lock.release();
        });
        assertThat(caller.end()).isEqualTo(new Caller.End(null, true));
        assertThat(isInRedis()).isFalse();
    }

    private static void assertWithdrawn(Caller caller) {
        assertThat(caller.end().thrown()).isInstanceOf(LockInterruptedException.class);
        assertThat(caller.end().flag()).isTrue();
    }

    private void awaitServiceFor(LockClient client) {
        take(client, LockRequest.of("42")).release();
        assertThat(isInRedis()).isFalse();
    }
}
