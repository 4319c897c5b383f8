package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.campaign.process.Leftovers;
import io.distributedlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that break at the worst moment, thousands of times. */
@Tag("long")
class CutCampaignTest {

    private static final int CUTTERS = 8;
    private static final int CUTS = 10_000;

    private final RedisServer server = RedisServer.start();
    private final List<ConnectionCutter> cutters = new ArrayList<>();

    @AfterEach
    void close() {
        cutters.forEach(ConnectionCutter::close);
        server.close();
    }

    @Test
    void aCutDuringAnAcquireIsNeverTakenForAnotherOwnersLock() {
        run(ConnectionCutter::cutAnAcquire);
        long cuts = sum(ConnectionCutter.Count.CUTS);
        System.out.println("cuts during acquire: " + cuts + " acquired: " + sum(ConnectionCutter.Count.ACQUIRED)
                + " unclear: " + sum(ConnectionCutter.Count.UNCLEAR) + " held by another: "
                + sum(ConnectionCutter.Count.HELD_BY_OTHER));
        assertThat(cuts).isGreaterThanOrEqualTo(CUTS);
        assertThat(sum(ConnectionCutter.Count.HELD_BY_OTHER)).isZero();
        assertNothingIsLeft();
    }

    @Test
    void aCutDuringAReleaseIsNeverTakenForALossAndEndsTheRenewal() {
        run(ConnectionCutter::cutARelease);
        long cuts = sum(ConnectionCutter.Count.CUTS);
        System.out.println("cuts during release: " + cuts + " lost: " + sum(ConnectionCutter.Count.LOST));
        assertThat(cuts).isGreaterThanOrEqualTo(CUTS);
        assertThat(sum(ConnectionCutter.Count.LOST)).isZero();
        assertNothingIsLeft();
    }

    private void run(Consumer<ConnectionCutter> round) {
        for (int i = 0; i < CUTTERS; i++) {
            cutters.add(new ConnectionCutter(server, "cut-" + i));
        }
        ExecutorService threads = Executors.newFixedThreadPool(CUTTERS);
        try {
            CompletableFuture<?>[] done = cutters.stream()
                    .map(cutter -> CompletableFuture.runAsync(() -> repeat(cutter, round), threads))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(done).join();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void repeat(ConnectionCutter cutter, Consumer<ConnectionCutter> round) {
        while (cutter.counted(ConnectionCutter.Count.CUTS) * CUTTERS < CUTS) {
            round.accept(cutter);
        }
    }

    private long sum(ConnectionCutter.Count count) {
        return cutters.stream().mapToLong(cutter -> cutter.counted(count)).sum();
    }

    /** A lock that is renewed for ever would never vanish. */
    private void assertNothingIsLeft() {
        await().untilAsserted(() -> {
            assertThat(cutters).allMatch(ConnectionCutter::isClean);
            assertThat(Leftovers.lockKeys(server)).isEmpty();
        });
    }
}
