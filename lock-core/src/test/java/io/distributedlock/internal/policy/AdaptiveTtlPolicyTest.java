package io.distributedlock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributedlock.AdaptiveTtl;
import io.distributedlock.LockEvent.Acquired;
import io.distributedlock.LockEvent.Lost;
import io.distributedlock.LockEvent.NotAcquired;
import io.distributedlock.LockEvent.Released;
import io.distributedlock.LockException;
import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the adaptive ttl makes of the holds that it is told of. */
class AdaptiveTtlPolicyTest {

    private static final AdaptiveTtl SETTINGS =
            new AdaptiveTtl(Duration.ofMillis(500), Duration.ofSeconds(60), 0.99, 3);
    private static final Duration QUICK = Duration.ofMillis(400);
    private static final Duration LONG_JOB = Duration.ofSeconds(3);
    private static final LockRequest WANTED = LockRequest.of("report", "42");

    private final AdaptiveTtlPolicy policy = new AdaptiveTtlPolicy(SETTINGS);

    private Duration ttl() {
        return ttlWhileRunningFor(Duration.ZERO);
    }

    private Duration ttlWhileRunningFor(Duration longest) {
        return policy.ttl(WANTED, name -> name.equals("report") ? longest : Duration.ofHours(1));
    }

    /** So many holds, one after the other, each of which waited for {@code ahead} others. */
    private void holds(int count, Duration held, int ahead) {
        for (int i = 0; i < count; i++) {
            Duration waited = held.multipliedBy(ahead);
            policy.on(new Acquired("report", "42", LockMode.EXCLUSIVE, i, waited, ahead > 0));
            policy.on(new Released("report", "42", held, true));
        }
    }

    private void known(int count, Duration held) {
        assertThat(ttl()).isEqualTo(SETTINGS.max());
        holds(count, held, 0);
    }

    @Test
    void aJobOfThreeSecondsNeverGetsLessWhateverTheLoad() {
        assertThat(ttl()).isGreaterThan(LONG_JOB);
        for (int ahead : new int[] {0, 1, 100, 3, 1_000, 0}) {
            for (int i = 0; i < 2 * HoldTimeWindow.WINDOW; i++) {
                holds(1, LONG_JOB, ahead);
                assertThat(ttl()).isGreaterThan(LONG_JOB.multipliedBy(6).dividedBy(5));
            }
        }
    }

    @Test
    void aRareLongJobAmongManyQuickOnesHasRoomAsLongAsItIsRemembered() {
        known(HoldTimeWindow.WINDOW, QUICK);
        holds(1, LONG_JOB, 50);
        holds(HoldTimeWindow.WINDOW - 1, QUICK, 50);
        assertThat(ttl()).isGreaterThan(LONG_JOB);
    }

    @Test
    void untilEnoughIsKnownItIsTheLongest() {
        known(HoldTimeWindow.ENOUGH - 1, QUICK);
        assertThat(ttl()).isEqualTo(SETTINGS.max());
        holds(1, QUICK, 0);
        assertThat(ttl()).isEqualTo(Duration.ofMillis(1_250));
    }

    @Test
    void aLongerHoldCountsFromItsFirstEndOn() {
        known(HoldTimeWindow.WINDOW, QUICK);
        holds(1, LONG_JOB, 0);
        assertThat(ttl()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void shorterHoldsCountAfterOneWindowOfThem() {
        known(HoldTimeWindow.WINDOW, LONG_JOB);
        holds(HoldTimeWindow.WINDOW - 1, QUICK, 0);
        assertThat(ttl()).isGreaterThan(LONG_JOB);
        holds(1, QUICK, 0);
        assertThat(ttl()).isEqualTo(Duration.ofMillis(1_250));
    }

    @Test
    void aHoldThatRunsLongerThanAnyBeforeCountsWhileItRuns() {
        known(HoldTimeWindow.WINDOW, QUICK);
        assertThat(ttlWhileRunningFor(LONG_JOB)).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void waitersMakeItShorterAndItGrowsAgainWithoutThem() {
        known(HoldTimeWindow.WINDOW, QUICK);
        Duration calm = ttl();
        holds(HoldTimeWindow.WINDOW, QUICK, 20);
        assertThat(ttl()).isLessThan(calm).isEqualTo(Duration.ofMillis(500));
        holds(HoldTimeWindow.WINDOW, QUICK, 0);
        assertThat(ttl()).isEqualTo(calm);
    }

    @Test
    void requestsThatWaitedInVainAreWaitersToo() {
        known(HoldTimeWindow.WINDOW, QUICK);
        LockException refusal = new LockNotAcquiredException(LockId.of("report", "42"), LONG_JOB, LONG_JOB);
        for (int i = 0; i < 50; i++) {
            policy.on(new NotAcquired("report", "42", LockMode.EXCLUSIVE, QUICK.multipliedBy(20), refusal));
        }
        assertThat(ttl()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void aHoldThatItsLeaseCutOffCountsTwiceSoThatTheNextOneHasRoom() {
        known(HoldTimeWindow.WINDOW, QUICK);
        policy.on(new Lost("report", "42", LossReason.DEADLINE, Duration.ofSeconds(2)));
        assertThat(ttl()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aHandleThatWasForgottenTellsNothing() {
        known(HoldTimeWindow.WINDOW, QUICK);
        Duration before = ttl();
        policy.on(new Lost("report", "42", LossReason.HOLDER_GONE, Duration.ofSeconds(50)));
        assertThat(ttl()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"PT0.001S,PT0.5S", "PT50S,PT60S"})
    void itStaysWithinItsLimits(Duration held, Duration ttl) {
        known(HoldTimeWindow.WINDOW, held);
        assertThat(ttl()).isEqualTo(ttl);
    }

    @Test
    void moreNamesThanThereIsRoomForGetTheLongest() {
        for (int i = 0; i < AdaptiveTtlPolicy.MAX_NAMES; i++) {
            assertThat(policy.ttl(LockRequest.of("name" + i, "42"), name -> Duration.ZERO))
                    .isEqualTo(SETTINGS.max());
        }
        holds(HoldTimeWindow.WINDOW, QUICK, 0);
        assertThat(ttl()).isEqualTo(SETTINGS.max());
    }

    @ParameterizedTest
    @CsvSource({"0s,PT1S,.5,2", "PT2S,PT1S,.5,2", "PT1S,PT2S,0,2", "PT1S,PT2S,1.1,2", "PT1S,PT2S,.5,1.2"})
    void settingsThatCannotWorkAreRefused(String min, Duration max, double percentile, double factor) {
        Duration shortest = min.equals("0s") ? Duration.ZERO : Duration.parse(min);
        assertThatIllegalArgumentException().isThrownBy(() -> new AdaptiveTtl(shortest, max, percentile, factor));
    }
}
