package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.Cut;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A client takes a lock away from the holder of another client. The lock is not renewed before a test gives up, unless
 * the test says so.
 */
class ForcedReleaseTest extends FaultTest {

    private static final String ID = "42";
    private static final Duration HOUR = Duration.ofHours(1);

    private final LockClient holder = client(relay.uri(), HOUR, Duration.ofSeconds(2));
    private final LockClient operator = client(server.uri(), HOUR, Duration.ofSeconds(2));

    /**
     * When a client reaches a server, it asks for all that it holds. It has done so before a test takes a lock: the
     * answer would be another reason for the loss, if it arrived before the message.
     */
    @BeforeEach
    void connectBoth() {
        warmUp(operator);
        warmUp(holder);
    }

    @Test
    void aQuestionMayBeTheFirstThatIsWantedOfAClient() {
        assertThat(unused().monitor().find(ID)).isEmpty();
        assertThat(unused().monitor().health().problem()).isNull();
        take(holder, LockRequest.of("42"));
        assertThat(unused().monitor().forceRelease(ID)).isPresent();
    }

    /** As patient as {@link #patient(String)}, and without a connection. */
    private LockClient unused() {
        return client(server.uri(), PATIENT_TTL, PATIENT_TIMEOUT);
    }

    @Test
    void theHolderInAnotherProcessIsNotified() {
        LockHandle lock = take(holder, LockRequest.of("42"));
        LockHandle other = take(holder, LockRequest.of("43"));
        assertThat(operator.monitor().forceRelease(ID)).isPresent();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.FORCED);
        assertThat(isInRedis()).isFalse();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void aHolderWithAnExplicitTtlIsNotified() {
        LockHandle lock = take(holder, LockRequest.of("42").withTtl(TWO_HOURS));
        operator.monitor().forceRelease(ID);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.FORCED);
    }

    @Test
    void allHoldersOfASharedLockAreNotified() {
        List<LockHandle> shares = List.of(
                take(holder, LockRequest.of("42").shared()),
                take(holder, LockRequest.of("42").shared()));
        operator.monitor().forceRelease(ID);
        assertThat(shares).extracting(FaultTest::awaitLoss).containsOnly(LossReason.FORCED);
    }

    @Test
    void theHolderIsNotifiedAfterAReconnect() {
        LockHandle lock = take(holder, LockRequest.of("42"));
        relay.cut(Cut.RST);
        take("44");
        take(holder, LockRequest.of("43"));
        await().until(() -> server.command("PUBSUB", "NUMSUB", "lock:forced").equals(List.of("lock:forced", 3L)));
        operator.monitor().forceRelease(ID);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.FORCED);
    }

    @Test
    void withoutMessagesTheHolderNoticesAtItsNextRenewal() {
        LockClient silent = closedAtTheEnd(newClient(relay.uri(), TTL, COMMAND_TIMEOUT, false));
        LockHandle lock = take(silent, LockRequest.of("42"));
        operator.monitor().forceRelease(ID);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }
}
