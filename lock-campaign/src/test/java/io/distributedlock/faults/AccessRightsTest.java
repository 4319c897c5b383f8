package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.relay.Cut;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rights of the locks' own user are taken away while it works. */
class AccessRightsTest extends FaultTest {

    private static final List<String> DOCUMENTED_RIGHTS =
            List.of("+eval +evalsha +set +get +getex +del +pttl +pexpire +time +client|info +client|kill".split(" "));

    private final RecordedEvents events = new RecordedEvents();
    private LockClient user;

    @BeforeEach
    void logIn() {
        create();
        user = LockClient.builder(RedisLockStore.of(RedisURI.create(uri("secret"))))
                .ttl(TTL)
                .commandTimeout(Duration.ofSeconds(1))
                .listener(events)
                .build();
        awaitService();
    }

    @AfterEach
    void logOut() {
        user.close();
    }

    @Test
    void f41TheDocumentedRightsAreEnough() {
        LockHandle lock = take(user, LockRequest.of("42"));
        long renewals = calls("pexpire");
        await().until(() -> calls("pexpire") >= renewals + 2);
        lock.release();
        assertThat(isInRedis()).isFalse();
        assertThat(events.all(LockEvent.RenewalFailed.class)).isEmpty();
    }

    @Test
    void f41WhoMayNotRunScriptsAnyMoreIsRefusedAndNotToldOfAnotherHolder() {
        change("-eval", "-evalsha");
        assertThat(refusal().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(refusal()).hasMessageContaining("NOPERM");
        assertThat(isInRedis()).isFalse();
        change("+eval", "+evalsha");
        take(user, LockRequest.of("42")).release();
    }

    @Test
    void f41WhoMayNotReleaseALockAnyMoreGetsNoOther() {
        LockHandle lock = take(user, LockRequest.of("43"));
        change("-eval", "-evalsha");
        lock.release();
        LockUnavailableException refused = catchThrowableOfType(
                LockUnavailableException.class, () -> user.acquire(once("42").withTtl(TWO_HOURS)));
        assertThat(refused).hasMessageContaining("NOPERM");
        assertThat(isInRedis()).isFalse();
        change("+eval", "+evalsha");
        take(user, LockRequest.of("42")).release();
    }

    @Test
    void f41AHolderWhoMayNotRenewAnyMoreIsToldAtTheEndOfItsLease() {
        LockHandle lock = take(user, LockRequest.of("42"));
        change("-pexpire");
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        awaitGone();
        assertThat(events.all(LockEvent.RenewalFailed.class)).hasSize(1);
    }

    /**
     * The error does not say after which of its commands a script was stopped, so it does not count as a refusal; yet
     * nothing was written.
     */
    @Test
    void f41AnAcquireThatMayNotRunOneOfItsCommandsLeavesNoLockBehind() {
        for (String command : List.of("set", "get", "time")) {
            change("-" + command);
            assertThat(refusal().outcome()).as(command).isEqualTo(Outcome.UNKNOWN);
            assertThat(server.command("EXISTS", KEY)).as(command).isEqualTo(0L);
            change("+" + command);
            awaitCleanUser();
        }
        take(user, LockRequest.of("42")).release();
    }

    @Test
    void f41AReleaseThatMayNotDeleteIsReportedAndRepeatedUntilItMay() {
        LockHandle lock = take(user, LockRequest.of("42").withTtl(TWO_HOURS));
        change("-del");
        lock.release();
        assertThat(isInRedis()).isTrue();
        await().until(() -> events.all(LockEvent.Released.class).stream()
                .anyMatch(released -> released.name().equals("42") && !released.confirmed()));
        change("+del");
        awaitGone();
        awaitCleanUser();
    }

    @Test
    void f41ALockThatMayNotBeDeletedIsFreedByTheEndOfItsLease() {
        LockHandle lock = take(user, LockRequest.of("42"));
        change("-del");
        lock.release();
        assertThat(isInRedis()).isTrue();
        take("42").release();
        awaitCleanUser();
    }

    @Test
    void f41AUserThatIsSwitchedOffWorksUntilItsConnectionBreaksAndAgainOnceItIsOn() {
        change("off");
        take(user, LockRequest.of("42")).release();
        relay.cut(Cut.RST);
        await().untilAsserted(() -> assertThat(refusal().outcome()).isEqualTo(Outcome.UNAVAILABLE));
        assertThat(isInRedis()).isFalse();
        change("on");
        awaitService();
    }

    @Test
    void f41AHolderWhosePasswordWasChangedIsToldAtTheEndOfItsLease() {
        LockHandle lock = take(user, LockRequest.of("42"));
        change("resetpass", ">changed");
        relay.cut(Cut.RST);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        awaitGone();
        assertThat(refusal().outcome()).isEqualTo(Outcome.UNAVAILABLE);
        take(client(uri("changed")), LockRequest.of("42")).release();
        change(">secret");
        awaitService();
    }

    @Test
    void f41AUserThatIsDeletedAndCreatedAgainIsServedAgain() {
        LockHandle lock = take(user, LockRequest.of("42").withTtl(TWO_HOURS));
        server.command("ACL", "DELUSER", "locks");
        lock.release();
        create();
        awaitGone();
        awaitCleanUser();
        awaitService();
    }

    private void create() {
        List<String> all = new ArrayList<>(List.of("reset", "on", ">secret", "~lock:*"));
        all.addAll(DOCUMENTED_RIGHTS);
        change(all.toArray(String[]::new));
    }

    private void change(String... rules) {
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "locks"));
        words.addAll(List.of(rules));
        server.command(words.toArray(String[]::new));
    }

    private String uri(String password) {
        return relay.uri().replace("redis://", "redis://locks:" + password + "@");
    }

    private LockUnavailableException refusal() {
        return catchThrowableOfType(
                LockUnavailableException.class,
                () -> user.acquire(once("42").withTtl(TWO_HOURS).withFencing()));
    }

    private void awaitService() {
        await().ignoreExceptions().until(() -> {
            user.acquire("42").release();
            return !isInRedis();
        });
    }

    private void awaitCleanUser() {
        await().until(() -> user.unresolved() == 0);
    }
}
