package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockObserverTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "42").withWaitTime(Duration.ZERO);

    private final Bench bench = new Bench();
    private final List<String> seen = new ArrayList<>();
    private final LockTemplate template = new LockTemplate(bench.client, ReleasePolicy.AT_RETURN, this::begin);
    private @Nullable Throwable end;

    private LockObserver.Observed begin(LockRequest request) {
        seen.add("begin " + request.name() + ":" + request.key());
        return new LockObserver.Observed() {
            @Override
            public LockObserver.Scope enter() {
                seen.add("enter");
                return () -> seen.add("leave");
            }

            @Override
            public void end(@Nullable Throwable failure) {
                seen.add("end");
                end = failure;
            }
        };
    }

    @BeforeEach
    void grantAndFree() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    @Test
    void aCallIsObservedFromBeforeItsRequestUntilAfterItsRelease() {
        bench.store.always(Verb.ACQUIRE, call -> {
            seen.add("acquire");
            call.grants(7);
        });
        bench.store.always(Verb.RELEASE, call -> {
            seen.add("release");
            call.frees();
        });
        template.run(WANTED, lock -> seen.add("work"));
        assertThat(seen).containsExactly("begin orders:42", "enter", "acquire", "work", "release", "leave", "end");
        assertThat(end).isNull();
    }

    @Test
    void aCoveredCallTakesNoLockAndIsNotObserved() {
        template.run(WANTED, outer -> template.run(WANTED, inner -> seen.add("work")));
        assertThat(seen).containsExactly("begin orders:42", "enter", "work", "leave", "end");
    }

    @Test
    void whatTheWorkThrowsIsItsEnd() {
        IllegalStateException own = new IllegalStateException("own");
        assertThatIllegalStateException()
                .isThrownBy(() -> template.run(WANTED, lock -> {
                    throw own;
                }))
                .isSameAs(own);
        assertThat(end).isSameAs(own);
        assertThat(seen).endsWith("leave", "end");
    }

    @Test
    void aRefusalIsSeenAlsoWhereTheCallerGetsNothing() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofSeconds(1)));
        assertThat(template.tryExecute(WANTED, lock -> "never")).isEmpty();
        assertThat(end).isInstanceOf(LockNotAcquiredException.class);
        assertThatThrownBy(() -> template.run(WANTED, lock -> {})).isSameAs(end);
        assertThat(seen)
                .containsExactly(
                        "begin orders:42", "enter", "leave", "end", "begin orders:42", "enter", "leave", "end");
    }

    @Test
    void aRefusalThatTheWorkItselfMetReachesTheCaller() {
        LockNotAcquiredException inner =
                new LockNotAcquiredException(LockId.of("other", "1"), Duration.ZERO, Duration.ZERO);
        assertThatThrownBy(() -> template.tryExecute(WANTED, lock -> {
                    throw inner;
                }))
                .isSameAs(inner);
        assertThat(end).isSameAs(inner);
    }

    @Test
    void aStoreThatCanNotBeAskedIsSeen() {
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.NOT_SENT));
        Throwable failure = catchThrowable(() -> template.run(WANTED, lock -> {}));
        assertThat(failure).isInstanceOf(LockUnavailableException.class).isSameAs(end);
    }

    @Test
    void anAsynchronousCallIsObservedUntilItsStageHasEnded() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = template.executeAsync(WANTED, lock -> {
            seen.add("work");
            return work;
        });
        assertThat(seen).containsExactly("begin orders:42", "enter", "work", "leave");
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(seen).endsWith("leave", "end");
        assertThat(end).isNull();
    }

    @Test
    void anAsynchronousCallThatIsRefusedIsSeen() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(Duration.ofSeconds(1)));
        assertThat(template.executeAsync(WANTED, lock -> CompletableFuture.completedFuture("never")))
                .isCompletedExceptionally();
        assertThat(end).isInstanceOf(LockNotAcquiredException.class);
        assertThat(seen).containsExactly("begin orders:42", "end");
    }

    @Test
    void anAsynchronousCallThatIsCancelledIsSeen() {
        bench.store.always(Verb.ACQUIRE, call -> {});
        template.executeAsync(WANTED, lock -> CompletableFuture.completedFuture("never"))
                .cancel(false);
        assertThat(end).isInstanceOf(CancellationException.class);
    }

    @Test
    void aClosedClientIsSeen() {
        bench.client.close();
        assertThat(template.executeAsync(WANTED, lock -> CompletableFuture.completedFuture("never")))
                .isCompletedExceptionally();
        assertThat(end).isInstanceOf(LockUnavailableException.class);
    }

    @Test
    void anObserverThatFailsAtTheBeginningLetsNoLockBeTaken() {
        LockTemplate observed = new LockTemplate(bench.client, ReleasePolicy.AT_RETURN, request -> {
            throw new IllegalStateException("no");
        });
        assertThatIllegalStateException().isThrownBy(() -> observed.run(WANTED, lock -> {}));
        assertThat(bench.store.verbs()).isEmpty();
    }
}
