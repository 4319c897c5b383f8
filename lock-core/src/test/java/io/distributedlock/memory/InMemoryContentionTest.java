package io.distributedlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that fight for one entry of the map. */
@Timeout(120)
class InMemoryContentionTest {

    private static final int THREADS = 6;
    private static final int ROUNDS = 20_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final InMemoryLockStore store = new InMemoryLockStore();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicInteger grants = new AtomicInteger();

    @Test
    void oneOwnerAtATimeIsInsideAndTokensGrowInTheOrderOfTheGrants() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> ends = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            String thread = "owner-" + t + "-";
            ends.add(threads.submit(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    fight(new Claim("contended", thread + round));
                }
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        threads.shutdown();
        assertThat(grants.get()).isPositive();
        assertThat(now(store.acquire(new Claim("contended", "last"), LONG, Duration.ZERO)))
                .isInstanceOf(Granted.class);
    }

    private void fight(Claim claim) {
        if (now(store.acquire(claim, LONG, Duration.ZERO)) instanceof Granted granted) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            assertThat(granted.token()).isGreaterThan(lastToken.get());
            lastToken.set(granted.token());
            grants.incrementAndGet();
            assertThat(now(store.extend(claim, granted.token(), LONG))).isPositive();
            inside.decrementAndGet();
            assertThat(now(store.release(claim))).isEqualTo(Release.of(true, true));
        } else {
            assertThat(now(store.extend(claim, 0, LONG))).isZero();
            assertThat(now(store.release(claim)).held()).isFalse();
        }
    }

    private static <T> T now(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        assertThat(answer).isCompleted();
        return answer.join();
    }

    @Test
    void aClosedStoreHasForgottenItsLocks() {
        AcquireResult first = now(store.acquire(new Claim("id", "first"), LONG, Duration.ZERO));
        store.close();
        AcquireResult second = now(store.acquire(new Claim("id", "second"), LONG, Duration.ZERO));
        assertThat(first).isInstanceOf(Granted.class);
        assertThat(second)
                .isInstanceOfSatisfying(
                        Granted.class, granted -> assertThat(granted.token()).isGreaterThan(((Granted) first).token()));
    }
}
