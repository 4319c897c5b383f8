package io.distributedlock.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that break at the worst moment, thousands of times. */
class CutCampaignTest {

    private static final int CUTTERS = 8;
    private static final int CUTS_OF_A_SHORT_RUN = 500;
    private static final int CUTS_OF_A_LONG_RUN = 10_000;

    private final RedisServer server = RedisServer.start();
    private final List<Cutter> cutters = new ArrayList<>();

    @AfterEach
    void close() {
        cutters.forEach(Cutter::close);
        server.close();
    }

    @Test
    void aCutDuringAnAcquireIsNeverTakenForSomebodyElsesLock() {
        run(Cutter::cutAnAcquire);
        long cuts = sum(Cutter.Count.CUTS);
        System.out.println("cuts during acquire: " + cuts + " acquired: " + sum(Cutter.Count.ACQUIRED) + " unclear: "
                + sum(Cutter.Count.UNCLEAR) + " held by another: " + sum(Cutter.Count.HELD_BY_OTHER));
        assertThat(cuts).isGreaterThanOrEqualTo(cuts());
        assertThat(sum(Cutter.Count.HELD_BY_OTHER)).isZero();
        assertNothingIsLeft();
    }

    @Test
    void aCutDuringAReleaseIsNeverTakenForALossAndEndsTheRenewal() {
        run(Cutter::cutARelease);
        long cuts = sum(Cutter.Count.CUTS);
        System.out.println("cuts during release: " + cuts + " lost: " + sum(Cutter.Count.LOST));
        assertThat(cuts).isGreaterThanOrEqualTo(cuts());
        assertThat(sum(Cutter.Count.LOST)).isZero();
        assertNothingIsLeft();
    }

    private static int cuts() {
        return Budget.isLong() ? CUTS_OF_A_LONG_RUN : CUTS_OF_A_SHORT_RUN;
    }

    private void run(Consumer<Cutter> round) {
        for (int i = 0; i < CUTTERS; i++) {
            cutters.add(new Cutter(server, "cut-" + i));
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

    private static void repeat(Cutter cutter, Consumer<Cutter> round) {
        while (cutter.counted(Cutter.Count.CUTS) * CUTTERS < cuts()) {
            round.accept(cutter);
        }
    }

    private long sum(Cutter.Count count) {
        return cutters.stream().mapToLong(cutter -> cutter.counted(count)).sum();
    }

    /** A lock that is renewed for ever would never vanish. */
    private void assertNothingIsLeft() {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(cutters).allMatch(Cutter::isClean);
            assertThat(Leftover.lockKeys(server)).isEmpty();
        });
    }
}
