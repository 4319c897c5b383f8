package io.distributedlock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
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
        List<String> cancelled = inTime(
                SOON, runs -> time.after(SOON, () -> runs.add("cancelled")).cancel());
        time.after(LATER, () -> ran.add("kept"));
        await().until(() -> ran.contains("kept"));
        assertThat(cancelled).isEmpty();
        assertThat(ran).containsExactly("kept");
    }

    /** What ran of a round; one that takes as long as its shortest delay proves nothing and is repeated. */
    private List<String> inTime(Duration shortest, Consumer<List<String>> round) {
        while (true) {
            List<String> runs = new CopyOnWriteArrayList<>();
            long begin = time.now();
            round.accept(runs);
            if (time.since(begin).compareTo(shortest) < 0) {
                return runs;
            }
        }
    }

    @Test
    void theSameHoldsForLongDelays() {
        List<String> cancelled = inTime(
                LONG, runs -> time.after(LONG, () -> runs.add("cancelled")).cancel());
        long begin = time.now();
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
        assertThat(cancelled).isEmpty();
    }

    @Test
    void ofManyTimersSetByManyThreadsEachRunsOnceUnlessItIsCancelled() {
        int each = 10_000;
        AtomicIntegerArray runs = new AtomicIntegerArray(4 * each);
        AtomicInteger early = new AtomicInteger();
        Set<Integer> late = ConcurrentHashMap.newKeySet();
        CompletableFuture<?>[] setters = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    for (int i = thread * each; i < (thread + 1) * each; i++) {
                        if (!set(i, runs, early)) {
                            late.add(i);
                        }
                    }
                }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(setters).join();
        await().until(() -> sum(runs, late) >= 2 * each);
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        time.after(Duration.ofSeconds(1), () -> later.complete(true));
        assertThat(later).succeedsWithin(Duration.ofMinutes(1));
        assertThat(sum(runs, late)).isEqualTo(2 * each);
        assertThat(IntStream.range(0, 4 * each))
                .allMatch(i -> late.contains(i) ? runs.get(i) <= 1 : runs.get(i) == (i + 1) % 2);
        assertThat(early).hasValue(0);
    }

    /** Sets a timer that counts its run, and cancels it if its number is odd. Returns false if that was too late. */
    private boolean set(int number, AtomicIntegerArray runs, AtomicInteger early) {
        Duration delay = LONG.plusMillis(number % 150);
        long begin = time.now();
        Scheduler.Timer timer = time.after(delay, () -> {
            runs.incrementAndGet(number);
            if (time.since(begin).compareTo(delay) < 0) {
                early.incrementAndGet();
            }
        });
        if (number % 2 == 0) {
            return true;
        }
        timer.cancel();
        return time.since(begin).compareTo(delay) < 0;
    }

    private static int sum(AtomicIntegerArray runs, Set<Integer> leftOut) {
        return IntStream.range(0, runs.length())
                .filter(i -> !leftOut.contains(i))
                .map(runs::get)
                .sum();
    }

    /** Each task asks for a gathering at once, as renewals do; those of one tick share it. */
    @Test
    void tasksThatAreDueInOneTickRunTogether() {
        int tasks = 100;
        OptionalInt gatherings = gatheringsOf(tasks);
        while (gatherings.isEmpty()) {
            gatherings = gatheringsOf(tasks);
        }
        assertThat(gatherings.getAsInt()).isLessThanOrEqualTo(tasks / 20);
    }

    /** Nothing if the first task was due before the last one was set: then they are not due in one tick. */
    private OptionalInt gatheringsOf(int tasks) {
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
        boolean allSet = !time.until(base).isZero();
        await().until(() -> done.get() == tasks);
        await().until(() -> !asked.get());
        return allSet ? OptionalInt.of(gatherings.get()) : OptionalInt.empty();
    }

    @Test
    void aNegativeDelayMeansNow() {
        time.after(Duration.ofSeconds(-1), () -> ran.add("now"));
        await().until(() -> ran.contains("now"));
    }

    @Test
    void afterTheEndNothingRunsAndNoCallerIsThrownAt() {
        List<String> ofTheClosed = inTime(SOON, runs -> {
            Scheduler other = new SystemScheduler();
            other.after(SOON, () -> runs.add("before"));
            other.after(LONG, () -> runs.add("long before"));
            other.close();
            other.after(LONG, () -> runs.add("long after")).cancel();
            other.after(Duration.ZERO, () -> runs.add("after")).cancel();
        });
        time.after(LONG.plus(LATER), () -> ran.add("elsewhere"));
        await().until(() -> ran.contains("elsewhere"));
        assertThat(ofTheClosed).isEmpty();
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
