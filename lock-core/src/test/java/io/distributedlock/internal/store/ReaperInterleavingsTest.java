package io.distributedlock.internal.store;

import static io.distributedlock.Interleavings.explore;
import static io.distributedlock.Interleavings.require;
import static io.distributedlock.Interleavings.together;

import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A claim is adopted while the store comes back and answers: nothing of it is left. */
@Tag("long")
@Timeout(300)
class ReaperInterleavingsTest {

    private static final Claim CLAIM = new Claim("42", "owner");
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void aClaimThatIsAdoptedWhileTheStoreReturnsIsCleanedUp() {
        explore(ReaperInterleavingsTest::adoptWhileTheStoreReturns);
    }

    private static void adoptWhileTheStoreReturns() {
        ManualScheduler time = new ManualScheduler();
        Releases store = new Releases();
        EngineCounters counters = new EngineCounters(time);
        Reaper reaper = new Reaper(store, time, counters);
        together(() -> reaper.adopt(cleanup(time)), () -> {
            store.reachable.forEach(Runnable::run);
            time.runDue();
            store.answerAll();
        });
        store.answerAll();
        assertIdle(reaper, time);
        require(counters.resolved().get(Ambiguity.CLEANED) == 1, "it counts as cleaned once");
    }

    @Test
    void whatIsSentForAClaimThatIsBeingCleanedUpIsReleasedToo() {
        explore(ReaperInterleavingsTest::sendWhileCleaningUp);
    }

    private static void sendWhileCleaningUp() {
        ManualScheduler time = new ManualScheduler();
        Releases store = new Releases();
        Reaper reaper = new Reaper(store, time, new EngineCounters(time));
        reaper.adopt(cleanup(time));
        together(store::answerAll, () -> {
            store.sent = true;
            reaper.adopt(cleanup(time));
        });
        require(store.releasedSinceSent, "what was sent is released");
        store.answerAll();
        assertIdle(reaper, time);
    }

    private static Cleanup cleanup(ManualScheduler time) {
        return new Cleanup(CLAIM, time.now() + TTL.toNanos(), Duration.ZERO, TTL);
    }

    /** A try that was planned while the last answer came finds nothing to do. */
    private static void assertIdle(Reaper reaper, ManualScheduler time) {
        require(reaper.size() == 0, "nothing is left to clean up");
        require(reaper.flushed().isDone(), "all clean-ups have ended");
        time.advance(TTL);
        require(time.timers() == 0, "no further try is planned");
    }

    /** Answers to releases when it is asked to. */
    private static final class Releases implements LockStore {

        final List<Runnable> reachable = new CopyOnWriteArrayList<>();
        private final List<CompletableFuture<Release>> asked = new CopyOnWriteArrayList<>();
        volatile boolean sent;
        volatile boolean releasedSinceSent;

        void answerAll() {
            asked.forEach(each -> each.complete(Release.of(true, true)));
        }

        @Override
        public CompletionStage<Release> release(Claim claim) {
            CompletableFuture<Release> answer = new CompletableFuture<>();
            asked.add(answer);
            releasedSinceSent |= sent;
            return answer;
        }

        @Override
        public void onReachable(Runnable hook) {
            reachable.add(hook);
        }

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
