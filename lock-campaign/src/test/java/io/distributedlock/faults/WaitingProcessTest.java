package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The process of the first waiter does not react when its turn comes. */
class WaitingProcessTest extends QueueFaultTest {

    /** Waits for the lock at the address in its first argument, and tells what it got. */
    static final class Waiter {

        public static void main(String[] arguments) {
            LockClient client = newClient(arguments[0], Duration.ofSeconds(15), Duration.ofSeconds(5));
            warmUp(client);
            System.out.println("ready");
            while (true) {
                try (LockHandle lock = client.acquire(WANTED)) {
                    System.out.println("held " + lock.isHeld());
                }
            }
        }
    }

    private LockHandle holder;
    private LockClient other;

    @BeforeEach
    void hold() {
        other = queueing(server.uri());
        holder = take(client, LockRequest.of("42").withTtl(TWO_HOURS));
    }

    private ChildJvm waitingChild() {
        ChildJvm child = ChildJvm.start(Waiter.class, server.uri());
        child.awaitLine("ready"::equals);
        awaitWaiters(1);
        return child;
    }

    @Test
    void aProcessThatWasKilledIsPassedOverAtOnce() {
        try (ChildJvm child = waitingChild()) {
            CompletableFuture<LockHandle> next = waiting(other, 2);
            String owner = waiters().get(1);
            child.kill();
            awaitTheServerHasNoticed();
            holder.release();
            assertThat(owner()).isEqualTo(owner);
            awaitLock(next).release();
        }
        assertNothingIsLeft();
    }

    private void awaitTheServerHasNoticed() {
        await().until(() -> ((java.util.List<?>) server.command("PUBSUB", "CHANNELS", "lock:grants:*")).size() == 2);
    }

    @Test
    void aProcessThatStandsStillBlocksTheOthersForNoMoreThanAShortLease() {
        try (ChildJvm child = waitingChild()) {
            CompletableFuture<LockHandle> next = waiting(other, 2);
            String frozen = waiters().get(0);
            child.pause();
            holder.release();
            assertThat(owner()).isEqualTo(frozen);
            assertThat(pttl()).isLessThanOrEqualTo(Duration.ofSeconds(3).toMillis());
            LockHandle lock = awaitLock(next);
            child.resume();
            await().until(() -> waiters().size() == 1);
            assertThat(lock.extendAsync(TTL).join()).isTrue();
            lock.release();
            assertThat(child.awaitLine(line -> line.startsWith("held "))).isEqualTo("held true");
        }
    }
}
