package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The server stops for a while, with its connections open, and then goes on where it was. */
class StalledServerTest extends FaultTest {

    private static final Duration PATIENT = Duration.ofSeconds(5);

    @Test
    void f12AStallShorterThanACommandTimeoutIsOnlyADelay() {
        LockClient patient = client(relay.uri(), PATIENT.multipliedBy(3), PATIENT);
        warmUp(patient);
        relay.holdWhen(Direction.REQUESTS, FaultTest::isAcquire).thenRunAsync(() -> {
            server.pause();
            relay.deliver(Direction.REQUESTS);
            CompletableFuture.delayedExecutor(COMMAND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(server::resume);
        });
        LockHandle lock = patient.acquire(once("42"));
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        assertThat(isInRedis()).isFalse();
        assertThat(patient.unresolved()).isZero();
    }

    @Test
    void f12ALockOutlivesAStallThatIsLongerThanACommandTimeoutAndShorterThanItsLease() {
        LockHandle lock = take(client(relay.uri(), TTL.multipliedBy(3), COMMAND_TIMEOUT), LockRequest.of("held"));
        server.pause();
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        Duration left = lock.remaining();
        server.resume();
        awaitClean();
        assertThat(isInRedis()).isFalse();
        await().until(() -> lock.remaining().compareTo(left) > 0);
        lock.release();
    }

    @Test
    void f12ALockDoesNotOutliveAStallThatIsLongerThanItsLease() {
        LockHandle lock = take("42");
        server.pause();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        server.resume();
        awaitClean();
        awaitGone();
        assertThat(lock.isHeld()).isFalse();
        take("42").release();
        awaitGone();
    }

    /** A stall outlasts everything that was promised, and only then is what was sent before executed. */
    @Test
    void f12AnAcquireThatIsExecutedAfterALongStallIsTakenBack() {
        LockHandle clock = take(client, LockRequest.of("clock").withTtl(TTL));
        server.pause();
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        awaitLoss(clock);
        server.resume();
        take("warm-up").release();
        awaitClean();
        assertThat(isInRedis()).isFalse();
    }

    /**
     * No caller can take back what is on an ended connection before the server has read it; so the clean-up has to outlast
     * the stall.
     */
    @Test
    void f12AnAcquireOfAnEndedConnectionThatIsExecutedAfterALongStallIsTakenBack() {
        LockHandle clock = take(client, LockRequest.of("clock").withTtl(TTL.plusSeconds(1)));
        server.pause();
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRunAsync(() -> {
            relay.refuse(true);
            relay.cut(Cut.FIN);
            relay.deliver(Direction.REPLIES);
        });
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        awaitLoss(clock);
        relay.refuse(false);
        server.resume();
        take("reachable").release();
        awaitClean();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f12AServerThatGoesOnIsNotOverrunByThoseWhoHadAsked() {
        int callers = 50;
        long before = calls("evalsha");
        server.pause();
        List<CompletableFuture<LockHandle>> asked = IntStream.range(0, callers)
                .mapToObj(i -> client.acquireAsync(once("stalled-" + i)))
                .toList();
        asked.forEach(caller -> assertThat(caller.handle((lock, failure) -> failure)
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join())
                .isInstanceOf(LockUnavailableException.class));
        server.resume();
        awaitClean();
        assertThat(calls("evalsha") - before).isLessThan(callers * 20L);
        assertThat(server.command("KEYS", "lock:{stalled*")).isEqualTo(List.of());
    }

    @Test
    void f12CallersThatDoNotWaitAreNotRefusedByAServerThatDoesNotAnswer() {
        LockTemplate template = new LockTemplate(client);
        server.pause();
        List<CompletableFuture<Optional<String>>> calls =
                together(10, () -> template.tryExecute(once("42"), lock -> "done"));
        assertThat(calls)
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(Duration.ofSeconds(20))
                        .withThrowableThat()
                        .withCauseInstanceOf(LockUnavailableException.class));
        server.resume();
        awaitClean();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f12NoCallerWithAShortWaitTakesAHealthyServerForUnavailable() {
        LockTemplate template = new LockTemplate(client(server.uri(), PATIENT.multipliedBy(3), PATIENT));
        LockRequest hasty = LockRequest.of("42").withWaitTime(Duration.ofMillis(3));
        LockHandle held = take("42");
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<Optional<String>>> calls =
                    together(10, () -> template.tryExecute(hasty, lock -> "done"));
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEmpty());
        }
        held.release();
    }

    /** Runs {@code call} on as many threads at once. */
    private static <T> List<CompletableFuture<T>> together(int threads, Supplier<T> call) {
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            return IntStream.range(0, threads)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> {
                                meet(start);
                                return call.get();
                            },
                            pool))
                    .toList();
        } finally {
            pool.shutdown();
        }
    }

    private static void meet(CyclicBarrier start) {
        try {
            start.await();
        } catch (InterruptedException | BrokenBarrierException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Outcome outcomeOfAcquire() {
        return catchThrowableOfType(LockUnavailableException.class, () -> client.acquire(once("42")))
                .outcome();
    }
}
