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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopTests {

    private static final Order SHORT = Order.loop("key", 2, Duration.ofMillis(50));

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

        Outcome outcome = run(fair, SHORT.withWork(Duration.ofMillis(1)));

        assertThat(outcome.counts()).hasSize(2).allMatch(count -> count > 0);
        assertThat(outcome.granted()).isLessThanOrEqualTo(outcome.waited().total());
        assertThat(outcome.errors()).isZero();
        assertThat(word.overlaps()).isZero();
    }

    @Test
    void aLockThatLetsTwoInIsFoundOut() {
        CyclicBarrier together = new CyclicBarrier(2);

        run(client(() -> meet(together)), SHORT.withWork(Duration.ofMillis(20)));

        assertThat(word.overlaps()).isPositive();
    }

    @Test
    void aRefusalIsNoGrant() {
        Outcome outcome = run(client(() -> null), SHORT);

        assertThat(outcome.granted()).isZero();
        assertThat(outcome.refused()).isPositive();
    }

    @Test
    void aThreadThatFailsAgainAndAgainStopsAndTheFirstFailureIsTold() {
        Outcome outcome = run(
                client(() -> {
                    throw new IllegalStateException("no connection");
                }),
                Order.loop("key", 2, Duration.ofHours(1)));

        assertThat(outcome.errors()).isEqualTo(40);
        assertThat(outcome.failure()).contains("IllegalStateException: no connection");
    }

    @Test
    void ordersAndOutcomesSurviveTheWayBetweenProcesses() {
        Outcome outcome = run(client(() -> () -> {}), SHORT);

        assertThat(PeerProcess.JSON.readValue(PeerProcess.JSON.writeValueAsString(SHORT), Order.class))
                .isEqualTo(SHORT);
        assertThat(PeerProcess.JSON.readValue(PeerProcess.JSON.writeValueAsString(outcome), Outcome.class))
                .isEqualTo(outcome);
    }

    private Outcome run(PeerClient client, Order order) {
        return new Loop(List.of(client), word).run(order);
    }

    /** Once the other thread has given up waiting for the end of its time, so does this one. */
    private static @Nullable Hold meet(CyclicBarrier together) {
        try {
            together.await(1, TimeUnit.SECONDS);
            return () -> {};
        } catch (Exception alone) {
            return null;
        }
    }

    private interface Grants {
        @Nullable Hold next();
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
