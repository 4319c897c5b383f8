package io.distributedlock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemSchedulerTest {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LATER = Duration.ofMillis(60);
    private static final Duration LONG = Duration.ofMillis(250);

    private final SystemScheduler time = new SystemScheduler();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void aTaskRunsOnceAndNotBeforeItsTime() {
        long begin = time.now();
        CompletableFuture<Duration> passed = new CompletableFuture<>();
        time.after(LATER, () -> passed.complete(time.since(begin)));
        assertThat(passed)
                .succeedsWithin(Duration.ofMinutes(1))
                .satisfies(delay -> assertThat(delay).isGreaterThanOrEqualTo(LATER));
    }

    @Test
    void aTaskThatFailsEndsNoOtherTask() {
        time.after(Duration.ZERO, () -> {
            throw new IllegalStateException("task");
        });
        time.after(Duration.ZERO, () -> {
            throw new StackOverflowError("task");
        });
        time.after(SOON, () -> ran.add("later"));
        await().until(() -> ran.contains("later"));
    }

    @Test
    void aCancelledTaskDoesNotRun() {
        time.after(SOON, () -> ran.add("cancelled")).cancel();
        time.after(LATER, () -> ran.add("kept"));
        await().until(() -> ran.contains("kept"));
        assertThat(ran).containsExactly("kept");
    }

    @Test
    void theSameHoldsForLongDelays() {
        long begin = time.now();
        time.after(LONG, () -> ran.add("cancelled")).cancel();
        time.after(LONG, () -> {
            throw new IllegalStateException("task");
        });
        time.after(LONG, () -> {
            throw new StackOverflowError("task");
        });
        CompletableFuture<Duration> passed = new CompletableFuture<>();
        time.after(LONG.multipliedBy(2), () -> passed.complete(time.since(begin)));
        assertThat(passed)
                .succeedsWithin(Duration.ofMinutes(1))
                .satisfies(delay -> assertThat(delay).isGreaterThanOrEqualTo(LONG.multipliedBy(2)));
        assertThat(ran).isEmpty();
    }

    @Test
    void ofManyTimersSetByManyThreadsEachRunsOnceUnlessItIsCancelled() {
        int each = 10_000;
        AtomicIntegerArray runs = new AtomicIntegerArray(4 * each);
        AtomicInteger early = new AtomicInteger();
        CompletableFuture<?>[] setters = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    for (int i = thread * each; i < (thread + 1) * each; i++) {
                        set(i, runs, early);
                    }
                }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(setters).join();
        await().until(() -> sum(runs) >= 2 * each);
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        time.after(Duration.ofSeconds(1), () -> later.complete(true));
        assertThat(later).succeedsWithin(Duration.ofMinutes(1));
        assertThat(sum(runs)).isEqualTo(2 * each);
        assertThat(IntStream.range(0, 4 * each)).allMatch(i -> runs.get(i) == (i + 1) % 2);
        assertThat(early).hasValue(0);
    }

    /** Sets a timer that counts its run, and cancels it if its number is odd. */
    private void set(int number, AtomicIntegerArray runs, AtomicInteger early) {
        Duration delay = LONG.plusMillis(number % 150);
        long begin = time.now();
        Scheduler.Timer timer = time.after(delay, () -> {
            runs.incrementAndGet(number);
            if (time.since(begin).compareTo(delay) < 0) {
                early.incrementAndGet();
            }
        });
        if (number % 2 == 1) {
            timer.cancel();
        }
    }

    private static int sum(AtomicIntegerArray runs) {
        return IntStream.range(0, runs.length()).map(runs::get).sum();
    }

    /** Each task asks for a gathering at once, as renewals do; those of one tick share it. */
    @Test
    void tasksThatAreDueInOneTickRunTogether() {
        int tasks = 100;
        long base = time.now() + Duration.ofSeconds(1).toNanos();
        AtomicBoolean asked = new AtomicBoolean();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger gatherings = new AtomicInteger();
        for (int i = 0; i < tasks; i++) {
            time.after(time.until(base + i * Duration.ofMillis(8).toNanos() / tasks), () -> {
                if (asked.compareAndSet(false, true)) {
                    time.after(Duration.ZERO, () -> {
                        asked.set(false);
                        gatherings.incrementAndGet();
                    });
                }
                done.incrementAndGet();
            });
        }
        await().until(() -> done.get() == tasks);
        await().until(() -> !asked.get());
        assertThat(gatherings).hasValueLessThanOrEqualTo(tasks / 20);
    }

    @Test
    void aNegativeDelayMeansNow() {
        time.after(Duration.ofSeconds(-1), () -> ran.add("now"));
        await().until(() -> ran.contains("now"));
    }

    @Test
    void afterTheEndNothingRunsAndNoCallerIsThrownAt() {
        Scheduler other = new SystemScheduler();
        other.after(SOON, () -> ran.add("before"));
        other.after(LONG, () -> ran.add("long before"));
        other.close();
        other.after(LONG, () -> ran.add("long after")).cancel();
        other.after(Duration.ZERO, () -> ran.add("after")).cancel();
        time.after(LONG.plus(LATER), () -> ran.add("elsewhere"));
        await().until(() -> ran.contains("elsewhere"));
        assertThat(ran).containsExactly("elsewhere");
    }

    @Test
    void itsThreadKeepsNoProgramAlive() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        time.after(Duration.ZERO, () -> thread.complete(Thread.currentThread()));
        assertThat(thread).succeedsWithin(Duration.ofMinutes(1)).satisfies(timer -> {
            assertThat(timer.isDaemon()).isTrue();
            assertThat(timer.getName()).isEqualTo("distributed-lock-timer");
        });
    }

    @Test
    void whatIsLeftAndWhatHasPassedAreNeverNegativeEvenWhereTheClockOverflows() {
        ManualScheduler manual = new ManualScheduler();
        long begin = manual.now();
        manual.advance(Duration.ofSeconds(3));
        assertThat(manual.now()).isLessThan(begin);
        assertThat(manual.since(begin)).isEqualTo(Duration.ofSeconds(3));
        assertThat(manual.until(begin)).isZero();
        assertThat(manual.until(manual.now() + 5)).isEqualTo(Duration.ofNanos(5));
        assertThat(manual.since(manual.now() + 5)).isZero();
    }
}
