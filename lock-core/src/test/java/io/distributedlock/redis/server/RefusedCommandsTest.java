package io.distributedlock.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.support.CapturedLog;
import io.distributedlock.redis.server.RefusedCommands.Kind;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown of refused releases and renewals, and for how long. */
class RefusedCommandsTest {

    private static final StoreException REFUSAL =
            answer("NOPERM User default has no permissions to run the 'del' command");

    private long nanos = -7;
    private final RefusedCommands refused = new RefusedCommands(() -> nanos);

    private static StoreException answer(String text) {
        return StoreException.refused("Redis refused: " + text, new RedisCommandExecutionException(text));
    }

    @Test
    void aRefusalByOneNodeIsNotOverBecauseAnotherNodeDoesAsItIsTold() {
        refused.ended(Kind.RELEASE, REFUSAL);
        refused.ended(Kind.RELEASE, null);
        assertThat(refused.problem())
                .hasValueSatisfying(text -> assertThat(text).contains("release", "NOPERM"));
        nanos += RefusedCommands.RECENT_NANOS;
        assertThat(refused.problem()).isPresent();
        refused.ended(Kind.RENEWAL, null);
        assertThat(refused.problem()).isPresent();
        refused.ended(Kind.RELEASE, null);
        assertThat(refused.problem()).isEmpty();
    }

    @Test
    void refusalsBetweenSuccessesAreWarnedOfOnceAMinute() {
        try (CapturedLog log = CapturedLog.of(RefusedCommands.class)) {
            for (int i = 0; i < 100; i++) {
                refused.ended(Kind.RENEWAL, i % 2 == 0 ? REFUSAL : answer("ERR something else"));
                nanos += RefusedCommands.RECENT_NANOS / 10;
                refused.ended(Kind.RENEWAL, null);
            }
            assertThat(log.messages()).hasSize(1);
            nanos += RefusedCommands.PAUSE_NANOS;
            refused.ended(Kind.RENEWAL, REFUSAL);
            assertThat(log.messages()).hasSize(2);
        }
    }

    /** While a slot moves, and where a server turns out to be sharded, the lock is extended in another way at once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "CROSSSLOT Keys in request don't hash to the same slot",
                "NOPERM User default has no permissions to run the 'evalsha' command"
            })
    void whatIsDoneInAnotherWayAtOnceIsNotRefused(String text) {
        refused.ended(Kind.RENEWAL, answer(text));
        assertThat(refused.problem()).isEmpty();
    }

    @Test
    void thatThereIsNoWayToReleaseIsShownAlthoughNoServerSaidIt() {
        refused.ended(Kind.RELEASE, StoreException.denied("locks need commands that compare", null));
        assertThat(refused.problem())
                .hasValueSatisfying(text -> assertThat(text).contains("commands that compare"));
        refused.ended(Kind.RENEWAL, StoreException.notSent("Redis can't be reached", null));
        assertThat(refused.problem())
                .hasValueSatisfying(text -> assertThat(text).doesNotContain("renew locks"));
    }
}
