package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExtensionLaneTest {

    private static final Duration TTL = Duration.ofSeconds(9);

    private final List<Extension> sent = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Void>> replies = new CopyOnWriteArrayList<>();
    private final ExtensionLane lane = new ExtensionLane(this::send);
    private final AtomicInteger deepest = new AtomicInteger();
    private volatile boolean atOnce;

    private CompletionStage<?> send(Extension script) {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        replies.add(reply);
        sent.add(script);
        deepest.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
        if (atOnce) {
            reply.complete(null);
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
    void onlyAFewScriptsAreUnansweredAndTheOthersFollowInTheOrderOfTheirCalls() {
        int scripts = 200;
        IntStream.range(0, scripts).forEach(this::add);
        for (int answered = 0; answered < scripts; answered++) {
            assertThat(sent).hasSize(Math.min(scripts, answered + ExtensionLane.MAX_UNANSWERED));
            replies.get(answered).complete(null);
        }
        assertThat(names())
                .containsExactlyElementsOf(
                        IntStream.range(0, scripts).mapToObj(String::valueOf).toList());
    }

    @Test
    void moreThanSoManyLeasesDoNotWait() {
        fillTheWindow();
        IntStream.range(0, ExtensionLane.MAX_WAITING).forEach(this::add);
        assertThatThrownBy(() -> add(ExtensionLane.MAX_WAITING))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.effect()).isEqualTo(Effect.NOT_SENT));
        replies.get(0).complete(null);
        add(ExtensionLane.MAX_WAITING);
        assertThat(sent).hasSize(ExtensionLane.MAX_UNANSWERED + 1);
    }

    @Test
    void manyThatAreAnsweredWithinTheCallThatSendsThemAreNoDeepCalls() {
        fillTheWindow();
        int scripts = 50_000;
        IntStream.range(0, scripts).forEach(this::add);
        atOnce = true;
        replies.forEach(reply -> reply.complete(null));
        assertThat(sent).hasSize(ExtensionLane.MAX_UNANSWERED + scripts);
        assertThat(deepest).hasValueLessThan(1_000);
    }

    /** So many scripts without an answer that nothing more is sent. */
    private void fillTheWindow() {
        IntStream.rangeClosed(1, ExtensionLane.MAX_UNANSWERED).forEach(i -> add(-i));
        assertThat(sent).hasSize(ExtensionLane.MAX_UNANSWERED);
    }

    private void add(int number) {
        Extension script = new Extension("fence", number, TTL, (place, held, failure) -> {});
        script.add(0, new Claim(String.valueOf(number), "owner-" + number), String.valueOf(number));
        lane.add(script);
    }

    private List<String> names() {
        return sent.stream().map(script -> script.keys().get(1)).toList();
    }
}
