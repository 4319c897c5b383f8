package io.distributedlock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the replies of the scripts mean; one that none of them gives leaves open what has happened. */
class RedisRepliesTest {

    private static final long TOKEN = 1_763_752_345_123_456L;
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void aGrantIsItsTokenAndARepeatedOneSaysWhatIsLeft() {
        assertThat(attempt(List.of(TOKEN))).isEqualTo(new Granted(TOKEN, TTL, true));
        assertThat(attempt(List.of(2L, TOKEN, 400L))).isEqualTo(new Granted(TOKEN, Duration.ofMillis(400), false));
    }

    @Test
    void aGrantWithoutATokenSaysSo() {
        assertThat(attempt(List.of(3L, 0L, 0L))).isEqualTo(new Granted(0, TTL, true));
        assertThat(attempt(List.of(2L, 0L, 400L))).isEqualTo(new Granted(0, Duration.ofMillis(400), false));
    }

    @Test
    void aRefusedClaimIsQueuedIfItsTimeOfArrivalIsTold() {
        assertThat(attempt(List.of(0L, 0L, 500L)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.queued()).isFalse());
        assertThat(attempt(List.of(0L, TOKEN, 500L)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.queued()).isTrue());
    }

    private static AcquireResult attempt(Object reply) {
        return RedisReplies.attempt(reply, TTL, arrival -> new CompletableFuture<>());
    }

    @Test
    void aRefusalSaysWhenTheLeaseOfTheHolderEnds() {
        assertThat(attempt(List.of(0L, 0L, 500L)))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(500)));
    }

    @Test
    void aKeyThatNeverExpiresIsNotALeaseThatEndsAtOnce() {
        assertThat(attempt(List.of(0L, 0L, -1L)))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.retryAfter()).isGreaterThan(Duration.ofDays(1)));
    }

    @ParameterizedTest
    @MethodSource("repliesThatAcquireNeverGives")
    void anyOtherReplyToAnAcquireLeavesItsEffectOpen(Object reply) {
        assertThatThrownBy(() -> attempt(reply))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
    }

    static Stream<Object> repliesThatAcquireNeverGives() {
        return Stream.of(
                "OK",
                1L,
                List.of(),
                List.of(1L),
                List.of(0L),
                List.of("1763752345123456"),
                List.of(2L, TOKEN),
                List.of(2L, TOKEN, 500L, 0L),
                List.of("2", "7", "500"),
                List.of(2L, "7", 500L),
                List.of(0L, 0L, "soon"),
                Arrays.asList(0L, null, null),
                List.of(3L, TOKEN, 500L),
                List.of(-1L, TOKEN, 500L),
                List.of(1L, TOKEN, 500L),
                List.of(2L, -TOKEN, 500L),
                List.of(List.of(2L, TOKEN, 500L)));
    }

    @Test
    void noReplyAtAllToAnAcquireLeavesItsEffectOpen() {
        assertThatThrownBy(() -> attempt(null))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
    }

    @Test
    void anExtensionOrAReleaseIsAnsweredByOneOrZero() {
        assertThat(RedisReplies.flag(1L)).isTrue();
        assertThat(RedisReplies.flag(0L)).isFalse();
    }

    @Test
    void anyOtherReplyToAnExtensionOrAReleaseLeavesItsEffectOpen() {
        for (Object reply : Arrays.asList(2L, -1L, 100L, "OK", "1", List.of(1L), true, null)) {
            assertThatThrownBy(() -> RedisReplies.flag(reply))
                    .as("reply %s", reply)
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
        }
    }
}
