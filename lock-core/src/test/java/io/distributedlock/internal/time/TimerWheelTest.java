package io.distributedlock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerWheelTest {

    private static final Duration TURN = TimerWheel.TURN;
    private static final Duration ROUND = TURN.multipliedBy(512);

    private final ManualScheduler time = new ManualScheduler();
    private final Queue<Runnable> betweenReadingTheClockAndActing = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final TimerWheel wheel = new TimerWheel(this::clock, this::alarm, Runnable::run);
    private int alarms;

    /** What the wheel believes to be now may be long ago when it acts upon it. */
    private long clock() {
        long now = time.now();
        Runnable meanwhile = betweenReadingTheClockAndActing.poll();
        if (meanwhile != null) {
            meanwhile.run();
        }
        return now;
    }

    private void alarm(Duration delay, Runnable ring) {
        alarms++;
        time.after(delay, ring);
    }

    @Test
    void aTaskRunsNeverEarlyAndLateByATurnAtMost() {
        Random random = new Random(1);
        List<Duration> late = new ArrayList<>();
        int timers = 1_000;
        for (int i = 0; i < timers; i++) {
            Duration delay =
                    Duration.ofNanos(random.nextLong(ROUND.multipliedBy(3).toNanos()));
            long begin = time.now();
            wheel.after(delay, () -> late.add(time.since(begin).minus(delay)));
            time.advance(Duration.ofNanos(random.nextLong(TURN.toNanos() * 2)));
        }
        time.advance(ROUND.multipliedBy(3).plus(TURN));
        assertThat(late).hasSize(timers).allSatisfy(each -> assertThat(each).isBetween(Duration.ZERO, TURN));
    }

    @Test
    void aTaskThatIsDueExactlyAtATurnRunsThen() {
        wheel.after(TURN.multipliedBy(30), () -> ran.add("task"));
        time.advance(TURN.multipliedBy(30).minusNanos(1));
        assertThat(ran).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(ran).containsExactly("task");
    }

    @Test
    void whatIsDueInALaterRoundWaitsForIt() {
        wheel.after(ROUND.multipliedBy(2).plus(TURN), () -> ran.add("two rounds later"));
        wheel.after(TURN, () -> ran.add("next turn"));
        time.advance(ROUND.plus(TURN));
        assertThat(ran).containsExactly("next turn");
        time.advance(ROUND);
        assertThat(ran).containsExactly("next turn", "two rounds later");
    }

    @Test
    void aDelayThatNobodyLivesToSeeIsNoProblem() {
        wheel.after(Duration.ofNanos(Long.MAX_VALUE), () -> ran.add("for ever"));
        wheel.after(TURN, () -> ran.add("next turn"));
        time.advance(ROUND.multipliedBy(5));
        assertThat(ran).containsExactly("next turn");
    }

    @Test
    void aCancelledTaskDoesNotRun() {
        wheel.after(TURN, () -> ran.add("cancelled")).cancel();
        wheel.after(TURN, () -> ran.add("kept"));
        time.advance(ROUND);
        assertThat(ran).containsExactly("kept");
    }

    @Test
    void aTaskThatIsCancelledByAnotherOneOfItsTurnDoesNotRun() {
        List<Scheduler.Timer> timers = new ArrayList<>();
        for (String name : List.of("one", "other")) {
            timers.add(wheel.after(TURN, () -> {
                ran.add(name);
                timers.forEach(Scheduler.Timer::cancel);
            }));
        }
        time.advance(ROUND);
        assertThat(ran).hasSize(1);
    }

    @Test
    void aTaskMayBeCancelledAfterItHasRun() {
        Scheduler.Timer timer = wheel.after(TURN, () -> ran.add("task"));
        time.advance(ROUND);
        timer.cancel();
        time.advance(ROUND);
        assertThat(ran).containsExactly("task");
    }

    @Test
    void aTimerThatIsSetAfterItsTurnHasPassedRunsAtOnce() {
        wheel.after(Duration.ofSeconds(1), () -> ran.add("earlier one"));
        betweenReadingTheClockAndActing.add(() -> time.advance(Duration.ofSeconds(2)));
        wheel.after(Duration.ofSeconds(1), () -> ran.add("delayed one"));
        assertThat(ran).containsExactly("earlier one");
        time.runDue();
        assertThat(ran).containsExactly("earlier one", "delayed one");
        time.advance(ROUND.multipliedBy(2));
        assertThat(ran).containsExactly("earlier one", "delayed one");
    }

    @Test
    void aTimerThatCameTooLateForItsSlotCanStillBeCancelled() {
        wheel.after(Duration.ofSeconds(1), () -> ran.add("earlier one"));
        betweenReadingTheClockAndActing.add(() -> time.advance(Duration.ofSeconds(2)));
        wheel.after(Duration.ofSeconds(1), () -> ran.add("delayed one")).cancel();
        time.advance(ROUND.multipliedBy(2));
        assertThat(ran).containsExactly("earlier one");
    }

    @Test
    void timersThatAreSetWhileTheWheelTurnsAreNotForgotten() {
        wheel.after(Duration.ofSeconds(1), () -> ran.add("first"));
        time.advance(Duration.ofSeconds(1).minus(TURN));
        betweenReadingTheClockAndActing.add(() -> {
            wheel.after(TURN.multipliedBy(2), () -> ran.add("soon"));
            wheel.after(TURN.multipliedBy(20), () -> ran.add("later"));
        });
        time.advance(TURN);
        assertThat(ran).containsExactly("first");
        time.advance(TURN.multipliedBy(2));
        assertThat(ran).containsExactly("first", "soon");
        time.advance(ROUND);
        assertThat(ran).containsExactly("first", "soon", "later");
    }

    @Test
    void aTaskMaySetTheNextOne() {
        wheel.after(TURN, () -> wheel.after(TURN, () -> wheel.after(ROUND, () -> ran.add("third"))));
        time.advance(ROUND.plus(TURN.multipliedBy(4)));
        assertThat(ran).containsExactly("third");
    }

    @Test
    void aTimerThatHasRunIsSetAgain() {
        Scheduler.Timer first = wheel.after(TURN, () -> ran.add("first"));
        time.advance(TURN.multipliedBy(2));
        Scheduler.Timer second = wheel.after(TURN.multipliedBy(3), () -> ran.add("second"), first);
        assertThat(second).isSameAs(first);
        time.advance(TURN.multipliedBy(2));
        assertThat(ran).containsExactly("first");
        time.advance(TURN.multipliedBy(2));
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void aTimerThatIsStillInItsSlotIsNotSetAgain() {
        Scheduler.Timer first = wheel.after(TURN.multipliedBy(5), () -> ran.add("first"));
        first.cancel();
        Scheduler.Timer second = wheel.after(TURN, () -> ran.add("second"), first);
        assertThat(second).isNotSameAs(first);
        time.advance(TURN.multipliedBy(10));
        assertThat(ran).containsExactly("second");
        assertThat(wheel.after(TURN, () -> ran.add("third"), first)).isSameAs(first);
    }

    @Test
    void aTimerMayBeSetAgainByItsOwnTask() {
        Scheduler.Timer[] timer = new Scheduler.Timer[1];
        timer[0] = wheel.after(TURN, () -> {
            ran.add("first");
            timer[0] = wheel.after(TURN, () -> ran.add("second"), timer[0]);
        });
        time.advance(TURN.multipliedBy(4));
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void afterAPauseOfManyRoundsEverythingThatIsDueRunsOnce() {
        for (int i = 1; i <= 2_000; i++) {
            String name = "turn " + i;
            wheel.after(TURN.multipliedBy(i), () -> ran.add(name));
        }
        time.pause(ROUND.multipliedBy(10));
        time.runDue();
        assertThat(ran).hasSize(2_000).doesNotHaveDuplicates();
        time.advance(ROUND.multipliedBy(2));
        assertThat(ran).hasSize(2_000);
    }

    @Test
    void theWheelIsWokenOnlyWhereSomethingLies() {
        wheel.after(Duration.ofSeconds(3), () -> ran.add("task"));
        time.advance(Duration.ofMinutes(1));
        assertThat(ran).containsExactly("task");
        assertThat(alarms).isEqualTo(1);
        assertThat(time.timers()).isZero();
    }

    @Test
    void everEarlierTimersDoNotMultiplyTheRings() {
        for (int i = 500; i > 0; i--) {
            wheel.after(TURN.multipliedBy(i), () -> {});
        }
        time.advance(ROUND);
        alarms = 0;
        renew();
        time.advance(Duration.ofMinutes(1));
        assertThat(ran).hasSize(20);
        assertThat(alarms).isBetween(20, 21);
    }

    private void renew() {
        wheel.after(Duration.ofSeconds(3), () -> {
            ran.add("renewed");
            renew();
        });
    }
}
