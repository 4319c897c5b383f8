package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client is closed, or its process ends, whatever it is doing. */
class ShutdownTest extends FaultTest {

    private static final LockRequest PATIENT = LockRequest.of("42").withWaitTime(Duration.ofMinutes(2));

    /**
     * Holds a lock for two hours at the address in its first argument; closes its client at exit, or ends at once
     * without doing so.
     */
    static final class Holder {

        public static void main(String[] arguments) {
            LockClient client = newClient(arguments[0], TTL, COMMAND_TIMEOUT);
            take(client, LockRequest.of("42").withTtl(TWO_HOURS));
            if (arguments.length > 1) {
                return;
            }
            Runtime.getRuntime().addShutdownHook(new Thread(client::close));
            System.out.println("held");
            new CompletableFuture<>().join();
        }
    }

    @Test
    void f49ClosingFreesEveryLockThatIsHeldAndTellsItsHolder() {
        List<LockHandle> locks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LockRequest request = LockRequest.of("held-" + i);
            locks.add(take(client, i % 2 == 0 ? request : request.withTtl(TWO_HOURS)));
        }
        client.close();
        assertThat(server.command("KEYS", "lock:{*")).isEqualTo(List.of());
        assertThat(locks)
                .noneMatch(LockHandle::isHeld)
                .allSatisfy(lock -> assertThat(awaitLoss(lock)).isEqualTo(LossReason.CLOSED));
    }

    @Test
    void f49ClosingEndsTheWaitOfEverybodyAtOnce() {
        LockHandle holder = take(patient(server.uri()), LockRequest.of("42"));
        LockClient waiting = patient(server.uri());
        List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
        long before = calls("evalsha");
        for (int i = 0; i < 20; i++) {
            waiters.add(waiting.acquireAsync(PATIENT));
        }
        await().until(() -> calls("evalsha") > before);
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        waiting.close();
        assertThat(waiters)
                .allSatisfy(waiter -> assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOfSatisfying(
                                LockUnavailableException.class,
                                told -> assertThat(told.outcome()).isEqualTo(Outcome.CLOSED)));
        assertThat(extend(holder)).isTrue();
        holder.release();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f49AClosedClientGivesNoLocks() {
        client.close();
        assertThat(catchThrowableOfType(LockUnavailableException.class, () -> client.acquire("42"))
                        .outcome())
                .isEqualTo(Outcome.CLOSED);
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f49ADrainedClientGivesLocksAgain() {
        LockHandle before = take("42");
        client.drain(Duration.ofSeconds(20));
        assertThat(isInRedis()).isFalse();
        assertThat(before.isHeld()).isFalse();
        take("42").release();
    }

    @Test
    void f49ClosingWaitsForTheCleanUpOfWhatIsUnresolved() {
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRun(() -> relay.hold(Direction.REQUESTS));
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> client.acquire(once("42").withTtl(TWO_HOURS)));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(isInRedis()).isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
        relay.deliver(Direction.REQUESTS);
        relay.deliver(Direction.REPLIES);
        closing.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f49ClosingEndsAlsoIfTheServerHangs() {
        LockHandle lock = take("42");
        server.pause();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
        closing.orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(lock.isHeld()).isFalse();
        server.resume();
        awaitGone();
    }

    /**
     * A call may have passed the door just before it was closed: it gets its lock released or is told, but keeps
     * nothing.
     */
    @Test
    void f49AcquiringWhileTheClientIsClosedLeavesNothingBehind() {
        for (int round = 0; round < 10; round++) {
            LockClient closed = patient(server.uri());
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            long before = calls("set");
            for (int i = 0; i < 4; i++) {
                String key = "caller-" + i;
                callers.add(CompletableFuture.runAsync(() -> acquireUntilClosed(closed, key), ShutdownTest::daemon));
            }
            await().until(() -> calls("set") > before + 20);
            closed.close();
            callers.forEach(caller -> caller.orTimeout(20, TimeUnit.SECONDS).join());
            assertThat(server.command("KEYS", "lock:{*")).as("round %d", round).isEqualTo(List.of());
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private static void acquireUntilClosed(LockClient client, String key) {
        try {
            for (int i = 0; true; i++) {
                client.acquire(LockRequest.of(key + "-" + i).withTtl(TWO_HOURS));
            }
        } catch (LockException closed) {
            assertThat(closed).isInstanceOf(LockUnavailableException.class);
        }
    }

    @Tag("long")
    @Test
    void f49NoThreadOfAClientKeepsAProcessAliveOrOutlivesItsClient() {
        client.close();
        Set<Thread> before = threads();
        LockClient another = patient(server.uri());
        another.acquireAsync(PATIENT).thenCompose(LockHandle::releaseAsync).join();
        assertThat(newThreads(before)).isNotEmpty().allMatch(thread -> thread.isDaemon() || endsByItself(thread));
        another.close();
        await().untilAsserted(() -> assertThat(newThreads(before)).isEmpty());
    }

    /** Netty's own, which serves all that is being shut down in this process, ends a second after its last task. */
    private static boolean endsByItself(Thread thread) {
        return thread.getName().startsWith("globalEventExecutor");
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    private static List<Thread> newThreads(Set<Thread> before) {
        return threads().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().matches("(distributed-lock|lettuce|netty|multiThread|global).*"))
                .toList();
    }

    @Test
    void f49AProcessThatIsToldToEndReleasesItsLocksFirst() {
        try (ChildJvm child = ChildJvm.start(Holder.class, server.uri())) {
            child.awaitLine("held"::equals);
            assertThat(isInRedis()).isTrue();
            ProcessHandle.of(child.pid()).orElseThrow().destroy();
            assertThat(child.exitCode()).isEqualTo(143);
            assertThat(isInRedis()).isFalse();
        }
    }

    @Test
    void f49AProcessWhoseMainMethodReturnsEndsAlthoughItsClientIsOpen() {
        try (ChildJvm child = ChildJvm.start(Holder.class, server.uri(), "return")) {
            assertThat(child.exitCode()).isZero();
        }
    }
}
