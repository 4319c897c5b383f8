package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A holder never comes to its release: it hangs, it throws, or it is killed. */
class HungHolderTest extends FaultTest {

    private static final LockRequest PATIENT =
            LockRequest.of("42").withFencing().withWaitTime(Duration.ofSeconds(30));

    /** Takes the lock at the address in its first argument, renewed, says so, and hangs. */
    static final class Holder {

        public static void main(String[] arguments) {
            LockClient client = newClient(arguments[0], TTL, COMMAND_TIMEOUT);
            LockHandle lock = take(client, LockRequest.of("42").withFencing());
            System.out.println(lock.fencingToken());
            new CompletableFuture<>().join();
            lock.release();
        }
    }

    @Test
    void f42AnExplicitTtlEndsAlthoughItsHolderHangsAndTheHolderIsToldAtTheEndOfItsWork() {
        CountDownLatch hanging = new CountDownLatch(1);
        CompletableFuture<LockHandle> started = new CompletableFuture<>();
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> hang(started, hanging));
        started.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture.anyOf(started, work).join();
        LockHandle lock = started.join();

        LockHandle next = take(client(server.uri()), PATIENT);
        assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        assertThat(lock.isHeld()).isFalse();
        hanging.countDown();
        assertThatThrownBy(() -> work.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LockLostException.class);
        assertThat(next.isHeld()).isTrue();
        next.release();
    }

    /** A command about a lease gets a fifth of it at most: a second here, which no busy machine exceeds. */
    private void hang(CompletableFuture<LockHandle> started, CountDownLatch hanging) {
        LockRequest request = LockRequest.of("42").withFencing().withTtl(Duration.ofSeconds(5));
        new LockTemplate(patient(relay.uri())).run(request, lock -> {
            started.complete(lock);
            try {
                hanging.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void f43ARenewedLockOfAKilledProcessIsFreeAfterOneLease() {
        try (ChildJvm child = ChildJvm.start(Holder.class, server.uri())) {
            long token = Long.parseLong(child.awaitLine(line -> !line.isBlank()));
            child.kill();
            assertThat(pttl()).isNotEqualTo(-1).isLessThanOrEqualTo(TTL.toMillis());
            try (LockHandle next = take(client, PATIENT)) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }

    @Test
    void f43WorkThatThrowsLeavesNoLockBehindAndItsExceptionComesThrough() {
        LockTemplate template = new LockTemplate(patient(server.uri()));
        Error broken = new StackOverflowError("the work's own");
        assertThatThrownBy(() -> template.run("42", lock -> {
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f43WorkThatThrowsAfterItsLockWasLostStillThrowsItsOwnException() {
        LockTemplate template = new LockTemplate(patient(server.uri()));
        IllegalStateException broken = new IllegalStateException("the work's own");
        assertThatThrownBy(() -> template.run("42", lock -> {
                    server.command("DEL", KEY);
                    throw broken;
                }))
                .isSameAs(broken)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }
}
