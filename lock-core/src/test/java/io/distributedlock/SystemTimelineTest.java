package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SystemTimelineTest {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LATER = Duration.ofMillis(60);

    private final SystemTimeline time = new SystemTimeline();
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
    void aNegativeDelayMeansNow() {
        time.after(Duration.ofSeconds(-1), () -> ran.add("now"));
        await().until(() -> ran.contains("now"));
    }

    @Test
    void afterTheEndNothingRunsAndNobodyIsThrownAt() {
        Timeline other = new SystemTimeline();
        other.after(SOON, () -> ran.add("before"));
        other.close();
        other.after(Duration.ZERO, () -> ran.add("after")).cancel();
        time.after(LATER, () -> ran.add("elsewhere"));
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
        ManualTimeline manual = new ManualTimeline();
        long begin = manual.now();
        manual.advance(Duration.ofSeconds(3));
        assertThat(manual.now()).isLessThan(begin);
        assertThat(manual.since(begin)).isEqualTo(Duration.ofSeconds(3));
        assertThat(manual.until(begin)).isZero();
        assertThat(manual.until(manual.now() + 5)).isEqualTo(Duration.ofNanos(5));
        assertThat(manual.since(manual.now() + 5)).isZero();
    }
}
