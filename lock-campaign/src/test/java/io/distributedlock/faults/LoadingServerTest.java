package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.resp.RespError;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The server is back and answers, but is still busy with its data, for as long as the test wants. */
class LoadingServerTest extends FaultTest {

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);
    private static final Duration PATIENT = Duration.ofSeconds(2);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
    /** Those that are loaded; and the one that is sent with its text after a subscription, if that was so late. */
    private static final String SCRIPTS = "1[01]\\b";

    private static final Pattern REFUSED = Pattern.compile("cmdstat_evalsha:.*rejected_calls=[1-9]");

    /** Each key takes 5 ms to load, and the server looks at its connections after every few keys. */
    LoadingServerTest() {
        super("--key-load-delay", "5000", "--loading-process-events-interval-bytes", "1024", "--rdbcompression", "no");
    }

    @Test
    void f21ALoadingServerIsADefiniteRefusalAndIsNotAskedInABusyLoop() {
        save();
        server.restartWithoutWaitingForData();
        try (CommandRelay counting = CommandRelay.to(server.port())) {
            LockClient patient = client(counting.uri(), PATIENT.multipliedBy(3), PATIENT);
            LockUnavailableException told = catchThrowableOfType(
                    LockUnavailableException.class,
                    () -> patient.acquire(LockRequest.of("42").withWaitTime(Duration.ofHours(1))));
            assertThat(told).hasMessageContaining("LOADING");
            assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
            assertThat(patient.unresolved()).isZero();
            assertThat(counting.count("EVALSHA")).isBetween(1L, PATIENT.dividedBy(SHORTEST_PAUSE) + 2);
            finishLoading();
            take(patient, LockRequest.of("42")).release();
        }
    }

    @Test
    void f21AHolderKeepsItsLockWhileTheServerLoadsIt() {
        LockHandle lock = take(client(relay.uri(), LONG_LEASE, COMMAND_TIMEOUT), LockRequest.of("42"));
        save();
        server.restartWithoutWaitingForData();
        awaitRefusal();
        assertThat(lock.isHeld()).isTrue();
        finishLoading();
        await().until(() -> calls("getex") > 0);
        assertThat(isLost(lock)).isFalse();
        lock.release();
        awaitGone();
    }

    @Test
    void f21AHolderIsToldAsSoonAsTheServerHasLoadedDataWithoutItsLock() {
        save();
        LockHandle lock = take(client, LockRequest.of("42").withTtl(TWO_HOURS));
        await().until(() -> lock.remaining().compareTo(LONG_LEASE) > 0);
        server.restartWithoutWaitingForData();
        awaitRefusal();
        assertThat(lock.isHeld()).isTrue();
        finishLoading();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void f21ScriptsAreLoadedOnceTheServerHasItsData() {
        take(client(relay.uri(), LONG_LEASE, COMMAND_TIMEOUT), LockRequest.of("42"));
        save();
        server.restartWithoutWaitingForData();
        awaitRefusal();
        finishLoading();
        await().untilAsserted(() -> assertThat(String.valueOf(server.command("INFO", "memory")))
                .containsPattern("number_of_cached_scripts:" + SCRIPTS));
    }

    private void save() {
        server.command("DEBUG", "POPULATE", "20000", "filler", "100");
        server.command("SAVE");
    }

    private void awaitRefusal() {
        await().until(() -> REFUSED.matcher(String.valueOf(server.command("INFO", "commandstats")))
                .find());
    }

    private void finishLoading() {
        server.command("CONFIG", "SET", "key-load-delay", "0");
        await().until(this::hasLoaded);
    }

    private boolean hasLoaded() {
        try {
            return "PONG".equals(server.command("PING"));
        } catch (RespError loading) {
            return false;
        }
    }
}
