package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExtensionLaneTest {

    private static final Duration TTL = Duration.ofSeconds(9);

    private final List<List<Extension>> sent = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Void>> replies = new CopyOnWriteArrayList<>();
    private final ExtensionLane lane = new ExtensionLane(() -> this.loop, this::send);
    private final AtomicInteger deepest = new AtomicInteger();
    private volatile boolean atOnce;
    private volatile EventLoop loop = new DefaultEventLoop();

    private CompletionStage<?> send(List<Extension> batch) {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        replies.add(reply);
        sent.add(batch);
        deepest.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
        if (atOnce) {
            reply.complete(null);
        }
        return reply.thenRun(() -> batch.forEach(each -> each.answer().complete(true)));
    }

    @AfterEach
    void endLoop() {
        end(loop);
    }

    private static void end(EventLoop loop) {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void oneThatIsAloneIsSentAtOnce() {
        CompletableFuture<Boolean> answer = add(1);
        assertThat(names()).containsExactly(List.of("1"));
        replies.get(0).complete(null);
        assertThat(answer).isCompletedWithValue(true);
        add(2);
        assertThat(names()).containsExactly(List.of("1"), List.of("2"));
    }

    @Test
    void thoseThatComeMeanwhileGoTogetherWithoutWaitingForTheFirstAnswer() {
        CompletableFuture<Void> added = new CompletableFuture<>();
        loop.execute(() -> {
            IntStream.rangeClosed(1, 5).forEach(this::add);
            added.complete(null);
        });
        added.join();
        await().until(() -> sent.size() == 2);
        assertThat(names()).containsExactly(List.of("1"), List.of("2", "3", "4", "5"));
    }

    @Test
    void aFullScriptIsSentAtOnce() {
        CompletableFuture<Void> added = new CompletableFuture<>();
        loop.execute(() -> {
            IntStream.rangeClosed(0, ExtensionLane.MAX_BATCH).forEach(this::add);
            assertThat(sent).hasSize(2);
            assertThat(sent.get(1)).hasSize(ExtensionLane.MAX_BATCH);
            added.complete(null);
        });
        added.join();
    }

    @Test
    void onlyAFewScriptsAreUnansweredAndTheOthersFollowInTheOrderOfTheirCalls() {
        int claims = 2_000;
        IntStream.range(0, claims).forEach(this::add);
        await().until(() -> sent.size() == ExtensionLane.MAX_UNANSWERED);
        int answered = 0;
        while (sentClaims().size() < claims) {
            replies.get(answered++).complete(null);
            int expected = answered + ExtensionLane.MAX_UNANSWERED;
            await().until(() -> sent.size() == expected || sentClaims().size() == claims);
        }
        assertThat(sentClaims())
                .containsExactlyElementsOf(
                        IntStream.range(0, claims).mapToObj(String::valueOf).toList());
        assertThat(sent).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(ExtensionLane.MAX_BATCH));
    }

    @Test
    void aClaimThatIsAskedForAgainWhileItWaitsIsSentOnceForTheLongerTimeAndTheLargerToken() {
        fillTheWindow();
        CompletableFuture<Boolean> once = lane.add(new Extension(claim(7), "key", 70, TTL));
        CompletableFuture<Boolean> again = lane.add(new Extension(claim(7), "key", 60, TTL.multipliedBy(2)));
        replies.forEach(reply -> reply.complete(null));
        await().until(() -> sentClaims().contains("7"));
        List<Extension> last = sent.get(sent.size() - 1);
        assertThat(last).hasSize(1);
        assertThat(last.get(0).ttl()).isEqualTo(TTL.multipliedBy(2));
        assertThat(last.get(0).token()).isEqualTo(70);
        replies.get(replies.size() - 1).complete(null);
        assertThat(once).isCompletedWithValue(true);
        assertThat(again).isCompletedWithValue(true);
    }

    @Test
    void moreThanSoManyDoNotWait() {
        fillTheWindow();
        IntStream.range(0, ExtensionLane.MAX_WAITING).forEach(this::add);
        assertThatThrownBy(() -> add(ExtensionLane.MAX_WAITING))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.effect()).isEqualTo(Effect.NOT_SENT));
    }

    @Test
    void manyThatAreAnsweredWithinTheCallThatSendsThemAreNoDeepCalls() {
        fillTheWindow();
        List<CompletableFuture<Boolean>> answers =
                IntStream.range(0, 50_000).mapToObj(this::add).toList();
        atOnce = true;
        replies.forEach(reply -> reply.complete(null));
        assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(Duration.ofSeconds(30)));
        assertThat(deepest).hasValueLessThan(1_000);
    }

    @Test
    void whatWaitsWhenTheLoopEndsFailsAsNotSentAndTheNextConnectionIsUsed() {
        add(1);
        List<CompletableFuture<Boolean>> gathered = new ArrayList<>();
        CompletableFuture<Void> added = new CompletableFuture<>();
        EventLoop first = loop;
        first.execute(() -> {
            gathered.add(add(2));
            gathered.add(add(3));
            first.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            added.complete(null);
        });
        added.join();
        gathered.forEach(ExtensionLaneTest::assertNotSent);
        end(first);
        assertNotSent(add(4));

        loop = new DefaultEventLoop();
        replies.get(0).complete(null);
        add(5);
        assertThat(names()).containsExactly(List.of("1"), List.of("5"));
    }

    private static void assertNotSent(CompletableFuture<Boolean> answer) {
        assertThat(answer)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.NOT_SENT));
    }

    /** So many scripts without an answer that nothing more is sent. */
    private void fillTheWindow() {
        for (int i = 1; i <= ExtensionLane.MAX_UNANSWERED; i++) {
            add(-i);
            int expected = i;
            await().until(() -> sent.size() == expected);
        }
    }

    private CompletableFuture<Boolean> add(int number) {
        return lane.add(new Extension(claim(number), "key-" + number, number, TTL));
    }

    private static Claim claim(int number) {
        return new Claim(String.valueOf(number), "owner-" + number);
    }

    private List<List<String>> names() {
        return sent.stream()
                .map(batch -> batch.stream().map(each -> each.claim().id()).toList())
                .toList();
    }

    private List<String> sentClaims() {
        return names().stream().flatMap(List::stream).toList();
    }
}
