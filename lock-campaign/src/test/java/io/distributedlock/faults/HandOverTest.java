package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A release gives the lock to a waiter: who gets it, and what becomes of it if that does not go smoothly. */
class HandOverTest extends QueueFaultTest {

    /** A machine that stands still for longer than a lease without an answer lasts may find it ended. */
    private void assertGoesTo(String waiter, LockHandle holder) {
        long begin = System.nanoTime();
        holder.release();
        String owner = owner();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (took.compareTo(LockStore.LONGEST_DIRECT_LEASE) < 0) {
            assertThat(owner).isEqualTo(waiter);
        }
    }

    @Test
    void waitersAreServedInTheOrderOfTheirArrivalAndNoCallerOvertakes() {
        LockHandle holder = take("42");
        List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(waiting(queueing(server.uri()), i + 1));
        }
        long token = holder.fencingToken();
        for (CompletableFuture<LockHandle> next : waiters) {
            assertThat(waiters.stream().filter(CompletableFuture::isDone)).noneMatch(done -> done == next);
            holder.release();
            assertThat(client.tryAcquire(once("42"))).isEmpty();
            holder = awaitLock(next);
            assertThat(holder.fencingToken()).isGreaterThan(token);
            token = holder.fencingToken();
        }
        holder.release();
        assertNothingIsLeft();
    }

    @Test
    void aHandOverNeedsNoTryOfTheWaiter() {
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        String owner = waiters().get(0);
        assertGoesTo(owner, holder);
        awaitLock(waiter).release();
        assertNothingIsLeft();
    }

    @Test
    void aLockThatWasHandedOverIsRenewedToItsWholeLease() {
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        holder.release();
        LockHandle lock = awaitLock(waiter);
        await().until(() -> pttl() > 10_000);
        await().until(() -> lock.remaining().toMillis() > 10_000);
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void anExplicitTtlIsGivenWhollyAlsoByAHandOver() {
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter =
                queueing(server.uri()).acquireAsync(WANTED.withTtl(Duration.ofMinutes(10)));
        awaitWaiters(1);
        holder.release();
        LockHandle lock = awaitLock(waiter);
        await().until(() -> pttl() > Duration.ofMinutes(9).toMillis());
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void aWaiterWhoseMessageWasLostWithItsConnectionHasTheLockAfterTheReconnect() {
        LockHandle holder = take(client(server.uri()), LockRequest.of("42").withFencing());
        CompletableFuture<LockHandle> waiter = waiting(queueing(relay.uri()), 1);
        String owner = waiters().get(0);
        relay.hold(Direction.REPLIES);
        assertGoesTo(owner, holder);
        assertThat(waiter).isNotDone();
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        LockHandle lock = awaitLock(waiter);
        assertThat(owner()).isEqualTo(owner);
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void aWaiterThatIsCancelledWhileItIsGrantedTheLockPassesItOn() {
        LockHandle holder = take(client(server.uri()), LockRequest.of("42").withFencing());
        CompletableFuture<LockHandle> gone = waiting(queueing(relay.uri()), 1);
        CompletableFuture<LockHandle> next = waiting(queueing(server.uri()), 2);
        List<String> owners = waiters();
        relay.hold(Direction.REPLIES);
        assertGoesTo(owners.get(0), holder);
        gone.cancel(true);
        LockHandle lock = awaitLock(next);
        assertThat(owner()).isEqualTo(owners.get(1));
        relay.deliver(Direction.REPLIES);
        assertThatStaysHeld(lock);
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void aWaiterThatIsInterruptedWhileItIsGrantedTheLockPassesItOn() throws InterruptedException {
        LockHandle holder = take(client(server.uri()), LockRequest.of("42").withFencing());
        LockClient interrupted = queueing(relay.uri());
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread gone = new Thread(() -> thrown.set(catchThrowable(() -> interrupted.acquire(WANTED))));
        gone.start();
        awaitWaiters(1);
        CompletableFuture<LockHandle> next = waiting(queueing(server.uri()), 2);
        relay.hold(Direction.REPLIES);
        holder.release();
        gone.interrupt();
        LockHandle lock = awaitLock(next);
        relay.deliver(Direction.REPLIES);
        gone.join();
        assertThat(thrown.get()).isInstanceOf(LockInterruptedException.class);
        assertThatStaysHeld(lock);
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void aWaiterThatTimesOutWhileItIsGrantedTheLockPassesItOn() {
        LockHandle holder =
                take(client(server.uri()), LockRequest.of("42").withFencing().withTtl(TWO_HOURS));
        LockClient hasty = queueing(relay.uri());
        LockClient patient = queueing(server.uri());
        CompletableFuture<LockHandle> gone = hasty.acquireAsync(WANTED.withWaitTime(Duration.ofSeconds(5)));
        awaitWaiters(1);
        CompletableFuture<LockHandle> next = waiting(patient, 2);
        relay.hold(Direction.REPLIES);
        holder.release();
        LockHandle lock = awaitLock(next);
        await().until(gone::isCompletedExceptionally);
        relay.deliver(Direction.REPLIES);
        assertThatStaysHeld(lock);
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void aWaiterThatTimesOutLeavesTheQueue() {
        LockHandle holder = take("42");
        LockClient hasty = queueing(server.uri());
        assertThatThrownBy(() -> hasty.acquire(WANTED.withWaitTime(Duration.ofMillis(200))))
                .isInstanceOf(LockNotAcquiredException.class);
        awaitWaiters(0);
        holder.release();
        assertNothingIsLeft();
    }

    @Test
    void aMessageThatComesTwiceDoesNotReleaseTheLockThatItAnnounced() {
        LockHandle holder = take("42");
        LockClient waiting = queueing(server.uri());
        CompletableFuture<LockHandle> waiter = waiting(waiting, 1);
        String owner = waiters().get(0);
        String channel = channelOf(0);
        holder.release();
        LockHandle lock = awaitLock(waiter);
        String again = "%d %d 3000 %s %s".formatted(lock.fencingToken() >> 10, lock.fencingToken() >> 10, KEY, owner);
        assertThat(server.command("PUBLISH", channel, again)).isEqualTo(1L);
        assertThat(server.command("PUBLISH", channel, "nothing of ours")).isEqualTo(1L);
        assertThatStaysHeld(lock);
        assertThat(owner()).isEqualTo(owner);
        lock.release();
        assertThat(server.command("PUBLISH", channel, again)).isEqualTo(1L);
        take(waiting, LockRequest.of("42").withFencing()).release();
        assertNothingIsLeft();
    }

    private String channelOf(int place) {
        List<?> members = (List<?>) server.command("ZRANGE", QUEUE, String.valueOf(place), String.valueOf(place));
        return String.valueOf(members.get(0)).split(" ")[2];
    }

    @Test
    void aHolderWhoseLeaseExpiresIsFollowedByAWaiter() {
        server.command("SET", KEY, "another-client", "PX", "60000");
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        server.command("PEXPIRE", KEY, "100");
        awaitLock(waiter).release();
        assertNothingIsLeft();
    }

    /** Whatever may come for it has come once it was extended. */
    private static void assertThatStaysHeld(LockHandle lock) {
        assertThat(lock.extendAsync(TTL).join()).isTrue();
        assertThat(lock.isHeld()).isTrue();
    }
}
