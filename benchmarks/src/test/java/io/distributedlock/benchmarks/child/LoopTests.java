package io.distributedlock.benchmarks.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Hold;
import io.distributedlock.benchmarks.peer.PeerClient;
import io.distributedlock.testkit.history.MutualExclusionWord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopTests {

    /** Threads end by failing, so that nothing depends on how fast this machine is. */
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private MutualExclusionWord word;

    @BeforeEach
    void mapWord() {
        word = MutualExclusionWord.open(folder.resolve("word"), 1);
    }

    @Test
    void everyGrantIsCountedForItsThread() {
        PeerClient fair = Catalogue.named("ReentrantLock(true)").orElseThrow().open(0);
        AtomicInteger left = new AtomicInteger(100);

        Outcome outcome = run(
                client(() -> left.getAndDecrement() > 0 ? fair.acquire("key", LONG) : failure()),
                Order.loop("key", 2, LONG));

        assertThat(outcome.counts()).hasSize(2);
        assertThat(outcome.granted()).isEqualTo(100);
        assertThat(outcome.waited().total()).isEqualTo(100);
        assertThat(word.overlaps()).isZero();
    }

    @Test
    void aLockThatLetsTwoInIsFoundOut() {
        CyclicBarrier together = new CyclicBarrier(2);

        run(
                client(() -> word.overlaps() > 0 ? failure() : meet(together)),
                Order.loop("key", 2, LONG).withWork(Duration.ofMillis(20)));

        assertThat(word.overlaps()).isPositive();
    }

    @Test
    void aRefusalIsNoGrant() {
        AtomicInteger left = new AtomicInteger(10);

        Outcome outcome = run(client(() -> left.getAndDecrement() > 0 ? null : failure()), Order.loop("key", 2, LONG));

        assertThat(outcome.granted()).isZero();
        assertThat(outcome.refused()).isEqualTo(10);
    }

    @Test
    void aThreadThatFailsAgainAndAgainStopsAndTheFirstFailureIsTold() {
        Outcome outcome = run(client(LoopTests::failure), Order.loop("key", 2, LONG));

        assertThat(outcome.errors()).isEqualTo(2 * Worker.MAX_ERRORS);
        assertThat(outcome.failure()).contains("IllegalStateException: no connection");
    }

    @Test
    void ordersAndOutcomesSurviveTheWayBetweenProcesses() {
        Order order = Order.loop("key", 2, LONG).withWork(Duration.ofMillis(1)).withPatience(Duration.ofSeconds(1));
        Outcome outcome = run(client(LoopTests::failure), order);

        assertThat(PeerProcess.JSON.readValue(PeerProcess.JSON.writeValueAsString(order), Order.class))
                .isEqualTo(order);
        assertThat(PeerProcess.JSON.readValue(PeerProcess.JSON.writeValueAsString(outcome), Outcome.class))
                .isEqualTo(outcome);
    }

    private Outcome run(PeerClient client, Order order) {
        return new Loop(List.of(client), word).run(order);
    }

    private static Hold failure() {
        throw new IllegalStateException("no connection");
    }

    /** Both threads are let in at the same time; one that is left alone is refused. */
    private static @Nullable Hold meet(CyclicBarrier together) {
        try {
            together.await(LONG.toSeconds(), TimeUnit.SECONDS);
            return () -> {};
        } catch (Exception alone) {
            return null;
        }
    }

    private interface Grants {
        @Nullable
        Hold next();
    }

    private static PeerClient client(Grants grants) {
        return new PeerClient() {
            @Override
            public @Nullable Hold acquire(String key, Duration wait) {
                return grants.next();
            }

            @Override
            public void close() {}
        };
    }
}
