package io.distributedlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HintsTest {

    private final ManualScheduler time = new ManualScheduler();
    private final ReleaseHints hints = new ReleaseHints(3, time);
    private final List<CompletableFuture<Optional<Granted>>> nodes =
            Stream.generate(CompletableFuture<Optional<Granted>>::new).limit(5).toList();

    private void listen() {
        nodes.forEach(news -> hints.listen(new Refused(Duration.ofSeconds(30), true, news)));
    }

    private void tell(int node) {
        nodes.get(node).complete(Optional.empty());
    }

    @Test
    void asManyAsAreLackingAreEnough() {
        listen();
        tell(0);
        tell(4);
        assertThat(hints.news()).isNotDone();
        tell(2);
        assertThat(hints.news()).isCompletedWithValue(Optional.empty());
    }

    @Test
    void afterTheFirstTheOthersAreWaitedForOnlyForAMoment() {
        listen();
        tell(0);
        time.advance(Duration.ofMillis(4));
        assertThat(hints.news()).isNotDone();
        time.advance(Duration.ofMillis(16));
        assertThat(hints.news()).isCompletedWithValue(Optional.empty());
    }

    @Test
    void whereNoCallerTellsItIsWorthWhileAfterASecond() {
        listen();
        time.advance(Duration.ofMillis(899));
        assertThat(hints.news()).isNotDone();
        time.advance(Duration.ofMillis(101));
        assertThat(hints.news()).isCompletedWithValue(Optional.empty());
    }

    @Test
    void whoWasToldHasNoTimers() {
        listen();
        nodes.forEach(news -> news.complete(Optional.empty()));
        time.advance(Duration.ofMillis(20));
        assertThat(time.timers()).isZero();
    }
}
