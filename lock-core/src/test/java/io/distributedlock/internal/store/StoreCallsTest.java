package io.distributedlock.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StoreCallsTest {

    private static final Duration LIMIT = Duration.ofMillis(300);

    private final ManualScheduler time = new ManualScheduler();
    private final StoreCalls calls = new StoreCalls(time);
    private final CompletableFuture<String> reply = new CompletableFuture<>();
    private final List<String> told = new ArrayList<>();
    private final List<StoreException> failures = new ArrayList<>();

    /** Something happens between the moment at which a timer is set and what follows in the thread that has set it. */
    private record SlowTimeline(ManualScheduler time, Runnable meanwhile) implements Scheduler {

        @Override
        public Timer after(Duration delay, Runnable task) {
            Timer timer = time.after(delay, task);
            meanwhile.run();
            return timer;
        }

        @Override
        public long now() {
            return time.now();
        }

        @Override
        public long wallClock() {
            return time.wallClock();
        }

        @Override
        public void close() {
            time.close();
        }
    }

    private void call(Supplier<CompletionStage<String>> call) {
        call(calls, call);
    }

    private void call(StoreCalls calls, Supplier<CompletionStage<String>> call) {
        calls.within(
                LIMIT,
                call,
                (answer, failure) -> record("in time", answer, failure),
                (answer, failure) -> record("late", answer, failure));
    }

    private void record(String when, String answer, StoreException failure) {
        told.add(when + ": " + (failure == null ? answer : failure.effect()));
        if (failure != null) {
            failures.add(failure);
        }
    }

    @Test
    void anAnswerInTimeIsHandedOverAndEndsTheTimer() {
        call(() -> reply);
        reply.complete("yes");
        time.advance(LIMIT.multipliedBy(2));
        assertThat(told).containsExactly("in time: yes");
        assertThat(time.timers()).isZero();
    }

    @Test
    void anAnswerThatIsThereAtOnceLeavesNoTimer() {
        call(() -> CompletableFuture.completedFuture("yes"));
        assertThat(told).containsExactly("in time: yes");
        assertThat(time.timers()).isZero();
    }

    @Test
    void anAnswerThatIsThereAtOnceIsNeverLateHoweverSlowThisProcessIs() {
        StoreCalls slow = new StoreCalls(new SlowTimeline(time, () -> time.advance(LIMIT)));
        call(slow, () -> CompletableFuture.completedFuture("yes"));
        assertThat(told).containsExactly("in time: yes");
        assertThat(time.timers()).isZero();
    }

    @Test
    void anAnswerThatComesWhileTheTimerIsSetEndsIt() {
        StoreCalls slow = new StoreCalls(new SlowTimeline(time, () -> reply.complete("yes")));
        call(slow, () -> reply);
        assertThat(told).containsExactly("in time: yes");
        assertThat(time.timers()).isZero();
    }

    @Test
    void silenceIsAnUnknownEffectAtTheDeadlineAndTheAnswerIsDeliveredLate() {
        call(() -> reply);
        time.advance(LIMIT.minusNanos(1));
        assertThat(told).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(told).containsExactly("in time: UNKNOWN");
        assertThat(failures.get(0)).hasMessage("no reply within 300 ms");
        reply.complete("yes");
        assertThat(told).containsExactly("in time: UNKNOWN", "late: yes");
    }

    @Test
    void aLateFailureIsDeliveredToo() {
        call(() -> reply);
        time.advance(LIMIT);
        reply.completeExceptionally(StoreException.refused("no", null));
        assertThat(told).containsExactly("in time: UNKNOWN", "late: REFUSED");
    }

    @Test
    void aClassifiedFailureKeepsItsClassThroughWrappers() {
        call(() -> reply.thenApply(answer -> answer));
        reply.completeExceptionally(new CompletionException(StoreException.notSent("closed", null)));
        assertThat(told).containsExactly("in time: NOT_SENT");
    }

    @Test
    void anythingElseMayHaveHadAnEffect() {
        call(() -> reply);
        reply.completeExceptionally(new IllegalStateException("what"));
        assertThat(told).containsExactly("in time: UNKNOWN");
        assertThat(failures.get(0)).hasMessageContaining("what").hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallThatThrowsIsAFailureLikeOneThatFails() {
        call(() -> {
            throw StoreException.refused("at once", null);
        });
        assertThat(told).containsExactly("in time: REFUSED");
        assertThat(StoreCalls.classify(new Error("x")).effect()).isEqualTo(Effect.UNKNOWN);
    }
}
