package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Callers that do not wait, or whose wait is over, while another one is asking the store: its answer is theirs, too. */
class FollowerTest extends WaitQueueTest {

    private static final LockRequest AT_ONCE = WANTED.withWaitTime(Duration.ZERO);

    private CompletableFuture<LockHandle> askAtOnce() {
        return line.acquireAsync(AT_ONCE);
    }

    @Test
    void noCallerIsToldThatOthersHoldTheLockByAStoreThatDoesNotAnswer() {
        List<CompletableFuture<LockHandle>> callers =
                Stream.generate(this::askAtOnce).limit(10).toList();
        freeAll();
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(callers)
                .allSatisfy(caller -> assertThat(failure(LockUnavailableException.class, caller))
                        .isNotNull());
    }

    @Test
    void aStoreThatCannotBeAskedRefusesNoCaller() {
        CompletableFuture<LockHandle> first = askAtOnce();
        CompletableFuture<LockHandle> second = askAtOnce();
        bench.acquire().fails(Effect.NOT_SENT);
        assertThat(failure(LockUnavailableException.class, first).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(failure(LockUnavailableException.class, second).outcome()).isEqualTo(Outcome.UNAVAILABLE);
    }

    @Test
    void aRefusalOfTheOneInFrontIsOneForAll() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> second = askAtOnce();
        assertThat(second).isNotDone();
        bench.acquire().refuses(LEASE_ENDS);
        failure(LockNotAcquiredException.class, second);
        failure(LockNotAcquiredException.class, askAtOnce());
        freeAll();
        first.cancel(false);
    }

    @Test
    void aGrantToTheOneInFrontRefusesWhoDoesNotWait() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> second = askAtOnce();
        bench.acquire().grants(7);
        failure(LockNotAcquiredException.class, second);
        freeAll();
        now(first).release();
    }

    @Test
    void aHealthyStoreThatAnswersAfterAShortWaitIsNotUnavailable() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> hasty = line.acquireAsync(WANTED.withWaitTime(Duration.ofMillis(3)));
        bench.advanceMillis(5);
        assertThat(hasty).isNotDone();
        bench.acquire().refuses(LEASE_ENDS);
        failure(LockNotAcquiredException.class, hasty);
        freeAll();
        first.cancel(false);
    }

    @Test
    void ifTheOneInFrontGivesUpWithoutAnAnswerAFollowerAsksForItself() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> second = askAtOnce();
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        first.cancel(false);
        bench.acquire().grants(8);
        freeAll();
        now(second).release();
    }

    @Test
    void anAnswerCountsOnlyUntilATryIsNotAnswered() {
        CompletableFuture<LockHandle> first = ask();
        bench.acquire().refuses(LEASE_ENDS);
        bench.advance(Bench.POLL);
        bench.acquire().fails(Effect.NOT_SENT);
        CompletableFuture<LockHandle> second = askAtOnce();
        assertThat(second).isNotDone();
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().fails(Effect.NOT_SENT);
        failure(LockUnavailableException.class, second);
        freeAll();
        first.cancel(false);
    }

    @Test
    void aRefusalOfOneThatGivesUpCountsForThoseWithHardlyAnyTimeLeft() {
        CompletableFuture<LockHandle> first = ask();
        bench.acquire().refuses(LEASE_ENDS);
        CompletableFuture<LockHandle> brief = line.acquireAsync(WANTED.withWaitTime(Duration.ofMillis(50)));
        freeAll();
        bench.advanceMillis(48);
        first.cancel(false);
        bench.advanceMillis(5);
        failure(LockNotAcquiredException.class, brief);
    }

    @Test
    void aLeaseThatEndsWhileItIsHandedOutIsNotWatchedForEver() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> follower = askAtOnce();
        freeAll();
        CompletableFuture<?> paused = follower.handle((lock, failure) -> {
            bench.time.pause(Bench.TTL);
            return line.acquireAsync(AT_ONCE);
        });
        bench.acquire().grants(7);
        assertThat(paused).isDone();
        bench.advance(Duration.ofMinutes(1));
        assertThat(line.monitor().health().problem()).isNull();
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
        first.cancel(false);
    }
}
