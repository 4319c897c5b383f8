package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockHandle;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Waiters whose queue was lost look for themselves in time. */
class LostQueueTest extends QueueFaultTest {

    @Test
    void aQueueThatWasDeletedIsBuiltAgainOrNotNeeded() {
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        server.command("DEL", QUEUE);
        holder.release();
        awaitLock(waiter).release();
        assertNothingIsLeft();
    }

    @Test
    void aWaiterTakesALockThatWasLostTogetherWithItsQueue() {
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter = waiting(queueing(server.uri()), 1);
        server.command("FLUSHALL");
        LockHandle lock = awaitLock(waiter);
        assertThat(awaitLoss(holder)).isNotNull();
        assertThat(lock.extendAsync(TTL).join()).isTrue();
        lock.release();
        assertNothingIsLeft();
    }

    @Test
    void aKeyOfAnotherTypeInPlaceOfTheQueueKeepsNoCallerFromTheLock() {
        server.command("SET", QUEUE, "other data");
        LockHandle holder = take("42");
        CompletableFuture<LockHandle> waiter = client.acquireAsync(WANTED);
        holder.release();
        awaitLock(waiter).release();
        assertThat(server.command("GET", QUEUE)).isEqualTo("other data");
    }

    @Test
    void foreignMembersOfTheQueueArePassedOver() {
        LockHandle holder = take("42");
        server.command("ZADD", QUEUE, "1", "foreign", "2", "a b c d", "3", "1 1 nobody nobody");
        server.command("APPEND", KEY, "!");
        holder.release();
        assertThat(isInRedis()).isFalse();
        assertNothingIsLeft();
    }
}
