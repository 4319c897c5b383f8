package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.Cut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rows F38 and F39 where the server tells of changes: the lock would not be renewed, nor its lease be over, before a test gives up. */
class TrackedLockTest extends FaultTest {

    private static final String TRACKING = "client\\|tracking";
    private static final String CACHING = "client\\|caching";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final LockClient watched = client(relay.uri(), HOUR, TIMEOUT);

    private LockHandle taken() {
        return tracked(LockRequest.of("42"));
    }

    private LockHandle tracked(LockRequest request) {
        LockHandle lock = take(watched, request);
        awaitTracked();
        return lock;
    }

    private void awaitTracked() {
        await().atMost(60, TimeUnit.SECONDS).until(() -> trackedKeys() > 0);
    }

    @Test
    void f38ADeletedLockIsToldAtOnce() {
        LockHandle lock = taken();
        server.command("DEL", KEY);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f38ALockOnAFlushedServerIsToldAtOnce() {
        LockHandle lock = taken();
        server.command("FLUSHALL");
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f38ALockThatWasGivenToSomebodyElseIsToldAtOnce() {
        LockHandle lock = taken();
        server.command("SET", KEY, "somebody-else");
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f38ALockWithALongTtlIsToldAtOnceAlthoughItIsNeverRenewed() {
        LockHandle lock = tracked(LockRequest.of("42").withTtl(TWO_HOURS));
        server.command("DEL", KEY);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f38AfterAReconnectTheServerIsAskedToTellAnew() {
        LockHandle lock = taken();
        long asked = calls(TRACKING);
        relay.cut(Cut.RST);
        await().atMost(60, TimeUnit.SECONDS).until(() -> calls(TRACKING) > asked);
        awaitTracked();
        server.command("DEL", KEY);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f39AServerThatForgetsItsScriptsTellsAllTheSame() {
        server.command("SCRIPT", "FLUSH");
        LockHandle lock = taken();
        server.command("DEL", KEY);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f38AChangeThatLeavesTheLockToItsHolderIsNoLoss() {
        LockHandle lock = taken();
        long asked = calls("getex");
        server.command("PEXPIRE", KEY, String.valueOf(TWO_HOURS.toMillis()));
        await().atMost(60, TimeUnit.SECONDS).until(() -> calls("getex") > asked);
        await().atMost(60, TimeUnit.SECONDS).until(() -> trackedKeys() > 0);
        assertThat(isLost(lock)).isFalse();
        lock.release();
    }

    /** The second lock's release is the proof that the server has had its chance to tell. */
    @Test
    void whatAClientDoesItselfIsNotToldToIt() {
        LockHandle lock = taken();
        long asked = calls("getex");
        for (int i = 0; i < 5; i++) {
            assertThat(lock.extendAsync(HOUR)
                            .toCompletableFuture()
                            .orTimeout(60, TimeUnit.SECONDS)
                            .join())
                    .isTrue();
        }
        LockHandle other = take(watched, LockRequest.of("43").withTtl(TWO_HOURS));
        await().atMost(60, TimeUnit.SECONDS).until(() -> calls("getex") - asked >= 6);
        server.command("DEL", "lock:{default:43}");
        assertThat(awaitLoss(other)).isEqualTo(LossReason.NOT_OWNER);
        // Five by the holder, one to stretch the other lease, and one after the hint.
        assertThat(calls("getex") - asked).isEqualTo(7);
        lock.release();
    }

    @Test
    void f41WithoutTheRightALossIsToldAtTheNextRenewalAndNobodyAsksAgain() {
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset", "on", ">secret", "~lock:*"));
        rules.addAll(List.of("&lock:*", "+@all", "-client|tracking", "-client|caching"));
        server.command(rules.toArray(String[]::new));
        LockClient limited = client(server.uri().replace("redis://", "redis://locks:secret@"));
        LockHandle lock = take(limited, LockRequest.of("42"));
        long renewals = calls("pexpire");
        await().atMost(60, TimeUnit.SECONDS).until(() -> calls("pexpire") >= renewals + 3);
        assertThat(refusals(TRACKING)).isEqualTo(1);
        assertThat(refusals(CACHING)).isEqualTo(1);
        assertThat(lock.isHeld()).isTrue();
        server.command("DEL", KEY);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    private long refusals(String command) {
        String stats = String.valueOf(server.command("INFO", "commandstats"));
        Matcher calls = Pattern.compile("cmdstat_" + command + ":.*rejected_calls=(\\d+)")
                .matcher(stats);
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void aLockWithAShortTtlCostsNoCommandMore() {
        long before = calls(CACHING);
        take(watched, LockRequest.of("42").withTtl(TTL)).release();
        assertThat(calls(CACHING)).isEqualTo(before);
    }
}
