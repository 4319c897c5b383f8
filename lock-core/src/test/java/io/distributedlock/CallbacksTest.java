package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallbacksTest {

    @Test
    void aCompletionThatAnExecutorRefusesRunsAtOnceAndAnyCompletionRunsOnce() {
        AtomicInteger runs = new AtomicInteger();
        new Callbacks(task -> {
                    throw new RejectedExecutionException();
                })
                .run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        new Callbacks(task -> {
                    task.run();
                    throw new RejectedExecutionException("after all");
                })
                .run(runs::incrementAndGet);
        assertThat(runs).hasValue(2);
    }

    @Test
    void aCallersFutureFailsWithWhatItsStepFailedWithBehindAnyWrapper() {
        IllegalStateException failure = new IllegalStateException("no way");
        CompletableFuture<?> step = CompletableFuture.allOf(CompletableFuture.failedFuture(failure));
        assertThat(new Callbacks(Runnable::run).after(step).handle((nothing, seen) -> seen))
                .isCompletedWithValue(failure);
    }
}
