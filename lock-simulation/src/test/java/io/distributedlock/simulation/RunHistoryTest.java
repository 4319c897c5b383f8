package io.distributedlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockId;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.simulation.RunHistory.CallRecord;
import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.testkit.specification.Conformance;
import io.distributedlock.testkit.specification.Rejection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The definition of a lock judges what a run has recorded. */
class RunHistoryTest {

    private static final String LOCK = "n:k1";

    private final Timeline timeline = new Timeline();
    private RunHistory history = new RunHistory(timeline, true);

    private void aMomentPasses() {
        timeline.advance(Duration.ofMillis(1));
    }

    private CallRecord granted(String process, String owner, long token) {
        CallRecord call = history.begin(process, LOCK, 0, false);
        aMomentPasses();
        history.written(LOCK, owner);
        aMomentPasses();
        call.granted(token, owner);
        aMomentPasses();
        return call;
    }

    private void release(CallRecord call) {
        call.releaseBegins();
        aMomentPasses();
        call.released();
        aMomentPasses();
    }

    @Test
    void oneAfterTheOtherConforms() {
        release(granted("p0", "one", 1));
        release(granted("p1", "two", 2));
        assertThat(history.conformance().line()).isEqualTo("conformance: histories: 1 rejected: 0");
    }

    @Test
    void twoHoldersAreRejected() {
        CallRecord one = granted("p0", "one", 1);
        CallRecord two = granted("p1", "two", 2);
        release(one);
        release(two);
        assertThat(history.conformance().rejections()).isNotEmpty();
    }

    @Test
    void aTokenThatDoesNotGrowIsRejected() {
        release(granted("p0", "one", 2));
        release(granted("p1", "two", 2));
        assertThat(history.conformance().rejections())
                .extracting(Rejection::message)
                .singleElement()
                .asString()
                .startsWith("1 believe in the lock, and no order of steps");
    }

    @Test
    void aRefusalWithoutAnotherHolderIsRejected() {
        release(granted("p0", "one", 1));
        timeline.advance(Duration.ofMinutes(1));
        CallRecord refused = history.begin("p1", LOCK, 0, false);
        aMomentPasses();
        refused.failed(new LockNotAcquiredException(LockId.of("n", "k1"), Duration.ZERO, Duration.ZERO));
        assertThat(history.conformance().rejections())
                .extracting(Rejection::message)
                .singleElement()
                .asString()
                .startsWith("refused, and no order of steps");
    }

    @Test
    void anOwnerThatStaysBehindACallIsRejected() {
        release(granted("p0", "one", 1));
        timeline.advance(Duration.ofMinutes(1));
        history.written(LOCK, "one");
        assertThat(history.conformance().rejections())
                .extracting(Rejection::message)
                .singleElement()
                .asString()
                .startsWith("the store had ");
    }

    /** A try that was late is executed ahead of the release, when the grant of an earlier try may have run out. */
    @Test
    void anOwnerIsSeenOnceMoreIfARequestOfItsProcessWasLate() {
        assertThat(conformanceOfAnOwnerSeenAfterItsRelease("p0").rejections()).isEmpty();
        assertThat(conformanceOfAnOwnerSeenAfterItsRelease("p1").rejections()).isNotEmpty();
    }

    private Conformance conformanceOfAnOwnerSeenAfterItsRelease(String late) {
        history = new RunHistory(timeline, true);
        CallRecord call = granted("p0", "one", 1);
        history.late(late, timeline.now() + Duration.ofSeconds(1).toNanos());
        release(call);
        release(granted("p1", "two", 2));
        history.written(LOCK, "one");
        return history.conformance();
    }
}
