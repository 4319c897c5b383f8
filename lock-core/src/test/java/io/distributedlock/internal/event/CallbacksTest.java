package io.distributedlock.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallbacksTest {

    private final ManualScheduler time = new ManualScheduler();

    @Test
    void aCompletionThatAnExecutorRefusesRunsAtOnceAndAnyCompletionRunsOnce() {
        AtomicInteger runs = new AtomicInteger();
        Executor full = task -> {
            throw new RejectedExecutionException();
        };
        Executor halfFull = task -> {
            task.run();
            throw new RejectedExecutionException("after all");
        };
        new Callbacks(full, full, time).run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        new Callbacks(full, halfFull, time).run(runs::incrementAndGet);
        assertThat(runs).hasValue(2);
        new Callbacks(halfFull, full, time).run(runs::incrementAndGet);
        assertThat(runs).hasValue(3);
        new Callbacks(full, full, time).signal(runs::incrementAndGet, runs::incrementAndGet);
        time.advance(Callbacks.SIGNAL_LIMIT);
        assertThat(runs).hasValue(5);
    }

    @Test
    void aCallersFutureFailsWithWhatItsStepFailedWithBehindAnyWrapper() {
        IllegalStateException failure = new IllegalStateException("no way");
        CompletableFuture<?> step = CompletableFuture.allOf(CompletableFuture.failedFuture(failure));
        assertThat(new Callbacks(Runnable::run, Runnable::run, time).after(step).handle((nothing, seen) -> seen))
                .isCompletedWithValue(failure);
    }

    @Test
    void whatFollowsASignalWaitsForItsCallbacksButNotForLong() {
        Deque<Runnable> busy = new ArrayDeque<>();
        Callbacks callbacks = new Callbacks(Runnable::run, busy::add, time);
        AtomicInteger signalled = new AtomicInteger();
        AtomicInteger followed = new AtomicInteger();
        callbacks.signal(signalled::incrementAndGet, followed::incrementAndGet);
        callbacks.signal(signalled::incrementAndGet, followed::incrementAndGet);
        busy.remove().run();
        assertThat(signalled).hasValue(1);
        assertThat(followed).hasValue(1);
        time.advance(Callbacks.SIGNAL_LIMIT);
        assertThat(signalled).hasValue(1);
        assertThat(followed).hasValue(2);
        busy.remove().run();
        assertThat(signalled).hasValue(2);
        assertThat(followed).hasValue(2);
        assertThat(time.timers()).isZero();
    }
}
