package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LossReason;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers' code blocks wherever it runs: in listeners, in asynchronous work, in callbacks of futures and of losses. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedCallbacksTest {

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(60);
    /** What a signal may take longer than one of a client that no caller blocks. */
    private static final Duration PROMISED = Duration.ofMillis(100);
    /** What a busy machine may add to either of them. */
    private static final Duration NOISE = Duration.ofMillis(900);

    private final CountDownLatch end = new CountDownLatch(1);
    private final InMemoryLockStore store = new InMemoryLockStore();
    private final LockClient calm = LockClient.builder(store).build();
    private final LockClient blocked =
            LockClient.builder(store).listener(event -> block()).build();
    private final LockTemplate template = new LockTemplate(blocked);
    private final CountDownLatch blocking = new CountDownLatch(1 + 2 + 4);

    private void block() {
        blocking.countDown();
        try {
            end.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Two pieces of asynchronous work, two joint locks that are to be released where they were acquired, four holders
     * that look after a loss. All of it is asked for on threads of their own: a future that is complete already runs
     * its callback on the thread that attaches it.
     */
    @BeforeEach
    void blockEverything() {
        for (int i = 0; i < 4; i++) {
            LockRequest lost = LockRequest.of("lost-" + i).withTtl(Duration.ofSeconds(1));
            aside(() -> blocked.acquire(lost).lost().thenRun(this::block));
        }
        for (int i = 0; i < 2; i++) {
            LockRequest joint = LockRequest.ofAll("accounts", List.of("a" + i, "b" + i));
            aside(() -> blocked.acquireAsync(joint).thenAccept(both -> {
                both.release();
                block();
            }));
            LockRequest report = LockRequest.of("report-" + i);
            aside(() -> template.executeAsync(report, lock -> {
                block();
                return CompletableFuture.completedFuture("done");
            }));
        }
    }

    private static void aside(Runnable task) {
        Thread thread = new Thread(task, "aside");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void close() {
        end.countDown();
        blocked.close();
        calm.close();
    }

    private void awaitBlocking() {
        await().atMost(LONG).until(() -> blocking.getCount() == 0);
    }

    @Test
    void f45ALossIsSignalledInTime() {
        awaitBlocking();
        List<Duration> undisturbed = new ArrayList<>();
        List<Duration> disturbed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            LockRequest wanted = LockRequest.of("short-" + i).withTtl(SHORT);
            CompletableFuture<Duration> one = lossAfter(calm, wanted.withKey("calm-" + i));
            CompletableFuture<Duration> other = lossAfter(blocked, wanted);
            assertThat(one).succeedsWithin(LONG);
            assertThat(other).succeedsWithin(LONG);
            undisturbed.add(one.join());
            disturbed.add(other.join());
        }
        assertThat(median(disturbed))
                .isLessThan(median(undisturbed).plus(PROMISED).plus(NOISE));
    }

    private static CompletableFuture<Duration> lossAfter(LockClient client, LockRequest wanted) {
        long begin = System.nanoTime();
        return client.acquire(wanted)
                .lost()
                .thenApply(reason -> Duration.ofNanos(System.nanoTime() - begin))
                .toCompletableFuture();
    }

    private static Duration median(List<Duration> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }

    @Test
    void f45WorkIsInterruptedAtItsLoss() {
        awaitBlocking();
        CompletableFuture<String> outcome = new CompletableFuture<>();
        new Thread(() -> outcome.complete(interruptedWork())).start();
        assertThat(outcome).succeedsWithin(LONG).isEqualTo("interrupted, and lost");
    }

    private String interruptedWork() {
        StringBuilder seen = new StringBuilder();
        try {
            template.run(LockRequest.of("worker").withTtl(SHORT).withInterruptOnLoss(), lock -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException interrupt) {
                    seen.append("interrupted");
                }
            });
        } catch (LockLostException lost) {
            seen.append(", and lost");
        }
        return seen.toString();
    }

    @Test
    void f45WaitersAndReleasesAreServed() {
        awaitBlocking();
        LockHandle both = blocked.acquire(LockRequest.ofAll("accounts", List.of("c", "d")));
        CompletableFuture<LockHandle> asynchronous = blocked.acquireAsync(LockRequest.of("accounts", "c"));
        CompletableFuture<LockHandle> waiting = new CompletableFuture<>();
        Thread waiter = new Thread(() -> waiting.complete(blocked.acquire(LockRequest.of("accounts", "d"))));
        waiter.start();
        both.release();
        assertThat(waiting).succeedsWithin(LONG);
        assertThat(calm.monitor().find("accounts:c"))
                .as("held for the asynchronous waiter")
                .isPresent();
        assertThat(asynchronous).as("its callback waits for a thread").isNotDone();
        LockHandle lost = blocked.acquire("forced");
        assertThat(blocked.monitor().forceRelease("forced")).isPresent();
        assertThat(lost.lost().toCompletableFuture()).succeedsWithin(LONG).isEqualTo(LossReason.FORCED);
        assertThat(calm.tryAcquire("forced")).isPresent();
    }

    @Test
    void f45SeveralLocksAreReleasedInCallbacksThatAllComeTogether() throws Exception {
        try (LockClient client = LockClient.builder(store).build()) {
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<Void>> callbacks = new ArrayList<>();
            LockHandle before = client.acquire(LockRequest.ofAll("accounts", List.of("x0", "x1")));
            for (int i = 0; i < 2; i++) {
                callbacks.add(client.acquireAsync(LockRequest.ofAll("accounts", List.of("x" + i, "y" + i)))
                        .thenAccept(both -> {
                            meet(together);
                            both.close();
                        }));
            }
            before.close();
            assertThat(CompletableFuture.allOf(callbacks.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(LONG);
            assertThat(client.held()).isEmpty();
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }
}
