package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockRequestTest {

    @Test
    void aLoneTextIsTheNameOfALockWithoutKey() {
        LockRequest job = LockRequest.of("nightly-report");
        assertThat(job.name()).isEqualTo("nightly-report");
        assertThat(job.key()).isEmpty();
        assertThat(job.id().encoded()).isEqualTo("nightly-report");
        assertThat(job.withWaitTime(Duration.ZERO).shared().keys()).isEqualTo(job.keys());
    }

    @Test
    void noEmptyValueTurnsARequestIntoOneForTheNameAlone() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("orders", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new LockRequest("orders", "", LockOptions.DEFAULTS));
        assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll("orders", List.of("")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("orders", "42").withKey(""));
    }

    enum Size {
        LARGE;

        @Override
        public String toString() {
            return "large";
        }
    }

    @Test
    void aValueWithTheSameTextInEachProcessIsAKey() {
        UUID id = UUID.randomUUID();
        assertThat(LockRequest.keyOf("text")).isEqualTo("text");
        assertThat(LockRequest.keyOf(7L)).isEqualTo("7");
        assertThat(LockRequest.keyOf(new BigDecimal("1.50"))).isEqualTo("1.50");
        assertThat(LockRequest.keyOf(true)).isEqualTo("true");
        assertThat(LockRequest.keyOf(id)).isEqualTo(id.toString());
        assertThat(LockRequest.keyOf(Size.LARGE)).isEqualTo("LARGE");
        assertThat(LockRequest.keyOf(LocalDate.of(2026, 11, 23))).isEqualTo("2026-11-23");
        assertThat(LockRequest.keyOf(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(LockRequest.keyOf(Optional.of("inside"))).isEqualTo("inside");
    }

    @Test
    void aMissingValueIsNoKey() {
        for (Object missing : Arrays.asList(null, Optional.empty(), "", " ")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockRequest.keyOf(missing))
                    .withMessageContaining("all calls without a value would share one lock");
        }
    }

    @Test
    void aValueWhoseTextDiffersBetweenProcessesIsNoKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.keyOf(new Object()))
                .withMessageContaining("A java.lang.Object has no toString() of its own");
        for (Object date : List.of(new Date(), Calendar.getInstance())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockRequest.keyOf(date))
                    .withMessageContaining("depends on the time zone of the process. Use a type of java.time");
        }
    }

    @Test
    void severalValuesAndBytesAreNoKey() {
        for (Object several : List.of(List.of("a"), Map.of("a", 1), new int[] {1})) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockRequest.keyOf(several))
                    .withMessageContaining("A key is one value");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.keyOf(new byte[] {1}))
                .withMessageContaining("A byte[] has no text of its own. Encode it");
    }

    @Test
    void whatIsNotSaidIsLeftToTheClient() {
        assertThat(LockRequest.of("orders", "42").options()).isEqualTo(LockOptions.DEFAULTS);
    }

    @Test
    void eachSettingLeavesTheOthersAsTheyWere() {
        LockRequest request =
                LockRequest.of("orders", "42").withTtl(Duration.ofSeconds(3)).withWaitTime(Duration.ZERO);
        assertThat(request.options())
                .isEqualTo(
                        new LockOptions(Duration.ZERO, Duration.ofSeconds(3), null, false, false, null, null, false));
        assertThat(request.withTtl(Duration.ofSeconds(4)).options().waitTime()).isZero();
        assertThat(request.name()).isEqualTo("orders");
        assertThat(request.key()).isEqualTo("42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
    void anEmptyKeyIsNoLockForEverybody(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("orders", key))
                .withMessageContaining("The key of lock 'orders' is empty or blank")
                .withMessageContaining("would share one lock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void anEmptyNameIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(name, "42"))
                .withMessageContaining("The name of a lock is blank");
    }

    @Test
    void nullIsNeitherANameNorAKey() {
        assertThatNullPointerException()
                .isThrownBy(() -> LockRequest.of(null))
                .withMessage("A lock needs a name, but it is null");
        assertThatNullPointerException().isThrownBy(() -> LockRequest.of(null, "42"));
        assertThatNullPointerException().isThrownBy(() -> LockRequest.of("orders", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.049999999S", "P365DT0.000000001S", "P1000000D"})
    void aTtlOutsideItsLimitsIsRefusedWithTheReason(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("42").withTtl(ttl))
                .withMessageContaining("from 50ms to 365d, but is " + ttl)
                .withMessageContaining("used up on the way to the store")
                .withMessageContaining("Leave it out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.05S", "P365D"})
    void theLimitsOfATtlAreAllowed(Duration ttl) {
        assertThat(LockRequest.of("42").withTtl(ttl).options().ttl()).isEqualTo(ttl);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT-1S", "P365DT0.000000001S"})
    void aWaitTimeOutsideItsLimitsIsRefused(Duration waitTime) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("42").withWaitTime(waitTime))
                .withMessage("A wait time must be from 0 (one try) to 365d, but is " + waitTime);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000000001S", "P365D"})
    void theLimitsOfAWaitTimeAreAllowed(Duration waitTime) {
        assertThat(LockRequest.of("42").withWaitTime(waitTime).options().waitTime())
                .isEqualTo(waitTime);
    }

    @Test
    void aNumberIsAKeyAsItsText() {
        assertThat(LockRequest.of("orders", 42L)).isEqualTo(LockRequest.of("orders", "42"));
        assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("orders", new byte[] {4, 2}));
    }
}
