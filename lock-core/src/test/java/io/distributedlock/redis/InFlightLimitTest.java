package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.redis.ExtendScriptCall.Lane;
import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InFlightLimitTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final List<ExtendBatch> sent = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Boolean>> replies = new CopyOnWriteArrayList<>();
    private final InFlightLimit lane = new InFlightLimit(this::send, () -> this.loop);
    private final AtomicInteger deepest = new AtomicInteger();
    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final List<StoreException> failures = new ArrayList<>();
    private volatile boolean atOnce;
    private boolean broken;
    private Executor loop = turns::add;

    private CompletionStage<Boolean> send(ExtendBatch script) {
        if (broken) {
            throw new StackOverflowError("expected");
        }
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        replies.add(reply);
        sent.add(script);
        deepest.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
        if (atOnce) {
            reply.complete(true);
        }
        return reply;
    }

    @Test
    void aScriptIsSentAtOnceWithoutWaitingForEarlierAnswers() {
        add(1);
        add(2);
        assertThat(names()).containsExactly("1", "2");
    }

    @Test
    void anAnswerThatCouldNotBeTakenInKeepsNoPlace() {
        IntStream.range(0, InFlightLimit.MAX_UNANSWERED + 1).forEach(this::add);
        replies.get(0).completeExceptionally(new StackOverflowError("expected"));
        turns.forEach(Runnable::run);
        assertThat(sent).hasSize(InFlightLimit.MAX_UNANSWERED + 1);
    }

    @Test
    void aScriptThatCouldNotBeSentKeepsNoPlace() {
        broken = true;
        for (int i = 0; i < InFlightLimit.MAX_UNANSWERED; i++) {
            int number = i;
            assertThatThrownBy(() -> add(number)).isInstanceOf(StackOverflowError.class);
        }
        broken = false;
        add(InFlightLimit.MAX_UNANSWERED);
        assertThat(sent).hasSize(1);
    }

    @Test
    void onlyAFewScriptsAreUnansweredAndTheOthersFollowInTheOrderOfTheirCalls() {
        int scripts = 200;
        IntStream.range(0, scripts).forEach(this::add);
        for (int answered = 0; answered < scripts; answered++) {
            assertThat(sent).hasSize(Math.min(scripts, answered + InFlightLimit.MAX_UNANSWERED));
            replies.get(answered).complete(true);
        }
        assertThat(names())
                .containsExactlyElementsOf(
                        IntStream.range(0, scripts).mapToObj(String::valueOf).toList());
    }

    @Test
    void moreThanSoManyLeasesDoNotWait() {
        fillTheWindow();
        IntStream.range(0, InFlightLimit.MAX_WAITING).forEach(this::add);
        assertThatThrownBy(() -> add(InFlightLimit.MAX_WAITING))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.effect()).isEqualTo(Effect.NOT_SENT));
        replies.get(0).complete(true);
        add(InFlightLimit.MAX_WAITING);
        assertThat(sent).hasSize(InFlightLimit.MAX_UNANSWERED + 1);
    }

    @Test
    void manyThatAreAnsweredWithinTheCallThatSendsThemAreNoDeepCalls() {
        fillTheWindow();
        int scripts = 50_000;
        IntStream.range(0, scripts).forEach(this::add);
        atOnce = true;
        replies.forEach(reply -> reply.complete(true));
        assertThat(sent).hasSize(InFlightLimit.MAX_UNANSWERED + scripts);
        assertThat(deepest).hasValueLessThan(1_000);
    }

    @Test
    void afterAFailureTheNextOneIsSentInATurnOfItsOwn() {
        fillTheWindow();
        add(1);
        replies.get(0).complete(false);
        assertThat(sent).hasSize(InFlightLimit.MAX_UNANSWERED);
        turns.remove().run();
        assertThat(sent).hasSize(InFlightLimit.MAX_UNANSWERED + 1);
    }

    @Test
    void whatWaitsWhenTheConnectionsHaveEndedFailsAsNotSent() {
        fillTheWindow();
        add(1);
        loop = task -> {
            throw new RejectedExecutionException("ended");
        };
        replies.get(0).complete(false);
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_SENT));
        add(2);
        assertThat(names()).endsWith("2");
    }

    /** So many scripts without an answer that nothing more is sent. */
    private void fillTheWindow() {
        IntStream.rangeClosed(1, InFlightLimit.MAX_UNANSWERED).forEach(i -> add(-i));
        assertThat(sent).hasSize(InFlightLimit.MAX_UNANSWERED);
    }

    private void add(int number) {
        ExtendScriptCall script = new ExtendScriptCall(
                new Lane(number, false),
                "fence",
                0,
                TTL,
                List.of(0),
                List.of(new Claim("lock", "owner")),
                new EncodedArguments(List.of("fence", "lock"), List.of()));
        lane.add(new ExtendBatch(script, (place, left, failure) -> failures.add((StoreException) failure)));
    }

    private List<String> names() {
        return sent.stream()
                .map(each -> String.valueOf(each.script().lane().slot()))
                .toList();
    }
}
