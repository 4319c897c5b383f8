package io.distributedlock.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTermsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static LeaseTerms explicit(Duration ttl) {
        return new LeaseTerms(ttl, false, null, SECOND);
    }

    private static LeaseTerms renewed(Duration ttl) {
        return new LeaseTerms(ttl, true, null, SECOND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.05S", "PT0.5S", "PT1S", "PT5S", "PT30S", "PT2H", "P1D", "P365D"})
    void theHolderStopsBeforeTheStoreCouldEvenIfTheClocksDrift(Duration ttl) {
        long sentAt = Long.MAX_VALUE - 10;
        Duration safe = Duration.ofNanos(LeaseTerms.safeUntil(sentAt, ttl) - sentAt);
        Duration drift = ttl.dividedBy(100).plusMillis(2);
        assertThat(safe.plus(drift)).isLessThan(ttl);
        assertThat(ttl.minus(safe.plus(drift))).isGreaterThanOrEqualTo(ttl.dividedBy(100));
        assertThat(safe).isGreaterThan(ttl.multipliedBy(8).dividedBy(10));
    }

    @Test
    void whatIsHardlyPromisedIsOverAtOnce() {
        assertThat(LeaseTerms.safeUntil(0, Duration.ZERO)).isNegative();
        assertThat(LeaseTerms.safeUntil(0, Duration.ofMillis(2))).isNegative();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.05S", "PT0.5S", "PT1S", "PT5S", "PT30S", "PT2H", "P365D"})
    void aRenewalHasTimeForRetriesBeforeTheLeaseEnds(Duration ttl) {
        LeaseTerms lease = renewed(ttl);
        Duration safe = Duration.ofNanos(LeaseTerms.safeUntil(0, ttl));
        Duration firstFailure = lease.renewalPeriod().plus(lease.renewalTimeout());
        Duration oneMore = lease.renewalRetry().plus(lease.renewalTimeout());
        assertThat(firstFailure.plus(oneMore)).isLessThan(safe);
        assertThat(lease.renewalRetry()).isLessThanOrEqualTo(SECOND);
    }

    @Test
    void aCommandMayTakeAFifthOfTheLeaseButATenthOfASecondAndNeverLongerThanTheClientWaits() {
        assertThat(explicit(Duration.ofMillis(50)).attemptTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(explicit(Duration.ofSeconds(2)).attemptTimeout()).isEqualTo(Duration.ofMillis(400));
        assertThat(explicit(Duration.ofSeconds(5)).attemptTimeout()).isEqualTo(SECOND);
        assertThat(explicit(Duration.ofHours(2)).attemptTimeout()).isEqualTo(SECOND);
    }

    @Test
    void aGrantIsWorthHandingOutFromAFifthOfItsFirstLeaseOn() {
        assertThat(renewed(Duration.ofSeconds(30)).minimumGrant()).isEqualTo(Duration.ofSeconds(6));
        assertThat(explicit(Duration.ofHours(2)).minimumGrant()).isEqualTo(SECOND);
    }

    @Test
    void onlyALongExplicitTtlStartsShort() {
        assertThat(explicit(Duration.ofSeconds(5)).isStretched()).isFalse();
        assertThat(explicit(Duration.ofMillis(5_001)).isStretched()).isTrue();
        assertThat(explicit(Duration.ofMillis(5_001)).firstTtl()).isEqualTo(Duration.ofSeconds(5));
        assertThat(renewed(Duration.ofHours(1)).isStretched()).isFalse();
        assertThat(renewed(Duration.ofHours(1)).firstTtl()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void theShortStartLeavesRoomForFiveCommands() {
        LeaseTerms slow = new LeaseTerms(Duration.ofHours(1), false, null, Duration.ofSeconds(4));
        assertThat(slow.firstTtl()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void aConnectionGetsItsTimeHoweverShortCommandsAre() {
        LeaseTerms quick = new LeaseTerms(SECOND, false, null, Duration.ofMillis(50));
        LeaseTerms slow = new LeaseTerms(Duration.ofMinutes(1), false, null, Duration.ofSeconds(10));
        assertThat(quick.connectTimeout()).isGreaterThanOrEqualTo(SECOND);
        assertThat(slow.connectTimeout()).isEqualTo(Duration.ofSeconds(10));
    }
}
