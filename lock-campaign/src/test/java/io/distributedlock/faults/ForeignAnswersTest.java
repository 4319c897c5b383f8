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
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Answers that no Redis of ours gives: from a proxy in between, from a TLS terminator, or from a server of another
 * kind.
 */
class ForeignAnswersTest extends FaultTest {

    private static final List<String> FOREIGN_ERRORS = List.of(
            "-ERR backend connection lost\r\n",
            "-ERR OOM command not allowed when used memory > 'maxmemory'.\r\n",
            "-BUSYBODY try later\r\n",
            "-OOMPH\r\n",
            "-502 Bad Gateway\r\n",
            "-\r\n");
    private static final List<String> FOREIGN_SHAPES = List.of(
            "+OK\r\n",
            ":0\r\n",
            ":1\r\n",
            "$-1\r\n",
            "$1\r\n0\r\n",
            "*0\r\n",
            "*-1\r\n",
            "*1\r\n:0\r\n",
            "*3\r\n:7\r\n:7\r\n:7\r\n",
            "*3\r\n$1\r\n0\r\n:0\r\n:0\r\n",
            "*4\r\n:0\r\n:0\r\n:0\r\n:0\r\n");
    private static final List<String> FOREIGN_FLAGS =
            List.of("-ERR backend connection lost\r\n", ":7\r\n", ":-1\r\n", "$-1\r\n", "+OK\r\n");
    private static final String UNKNOWN_COMMAND =
            "-ERR unknown command 'EVALSHA', with args beginning with: '0123456789' '2' \r\n";
    private static final List<String> NO_REDIS_AT_ALL = List.of(
            "HTTP/1.1 400 Bad Request\r\n\r\n", "\u0015\u0003\u0003\u0000\u0002\u0002\u0050", "-DENIED by policy\r\n");

    private final RecordedEvents events = new RecordedEvents();
    private CommandRelay proxy;
    private LockClient proxied;

    @BeforeEach
    void standBetween() {
        proxy = CommandRelay.to(server.port());
        proxied = LockClient.builder(RedisLockStore.of(RedisURI.create(proxy.uri())))
                .commandTimeout(COMMAND_TIMEOUT)
                .ttl(TTL.multipliedBy(2))
                .listener(events)
                .build();
        awaitService();
    }

    @AfterEach
    void stepAside() {
        proxied.close();
        proxy.close();
    }

    @Test
    void f50AnUnknownErrorIsNeverARefusal() {
        FOREIGN_ERRORS.forEach(this::assertThatTheOutcomeIsOpenIfAnAcquireIsAnswered);
    }

    @Test
    void f50AnAnswerOfAnUnknownShapeIsNeverARefusal() {
        FOREIGN_SHAPES.forEach(this::assertThatTheOutcomeIsOpenIfAnAcquireIsAnswered);
    }

    @Test
    void f50AnAnswerThatIsNoRedisReplyIsNeverARefusal() {
        NO_REDIS_AT_ALL.forEach(this::assertThatTheOutcomeIsOpenIfAnAcquireIsAnswered);
    }

    private void assertThatTheOutcomeIsOpenIfAnAcquireIsAnswered(String reply) {
        proxy.answer(ForeignAnswersTest::isAcquire, reply);
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> proxied.acquire(once("42").withFencing()));
        assertThat(told).as(reply).isNotNull();
        assertThat(told.outcome()).as(reply).isEqualTo(Outcome.UNKNOWN);
        proxy.clearAnswers();
        awaitService();
    }

    @Test
    void f50AnAcquireThatWasExecutedBehindAnUnknownErrorIsConfirmedAsOurs() {
        LockClient patient = patient(proxy.uri());
        proxy.answer(command -> isAcquire(command) && isExecuted(command), "-ERR backend connection lost\r\n", 1);
        LockHandle lock = patient.acquire(once("42").withTtl(TWO_HOURS));
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f50AnAcquireThatWasExecutedBehindAnUnknownErrorIsTakenBackIfItCanNotBeConfirmed() {
        proxy.answer(command -> isAcquire(command) && isExecuted(command), "-ERR backend connection lost\r\n");
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class,
                () -> proxied.acquire(once("42").withTtl(TWO_HOURS).withFencing()));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        awaitGone();
    }

    /** Executes the command on the server, of which the proxy then says nothing. */
    private boolean isExecuted(List<String> command) {
        server.command(command.toArray(String[]::new));
        return true;
    }

    @Test
    void f50AnUnknownAnswerToARenewalIsNoLoss() {
        LockHandle lock = take(proxied, LockRequest.of("42"));
        for (String reply : FOREIGN_FLAGS.subList(0, 3)) {
            long answered = proxy.count("EVALSHA");
            proxy.answer(ForeignAnswersTest::isExtend, reply, 1);
            await().until(() -> proxy.count("EVALSHA") > answered);
            awaitRenewal(lock);
        }
        assertThat(events.all(LockEvent.Lost.class)).isEmpty();
        assertThat(events.all(LockEvent.RenewalFailed.class)).isNotEmpty();
        lock.release();
    }

    @Test
    void f50AnUnknownAnswerToAReleaseIsNoLossAndTheLockIsFreedInTheEnd() {
        for (String reply : FOREIGN_FLAGS) {
            LockHandle lock = take(proxied, LockRequest.of("42").withTtl(TWO_HOURS));
            proxy.answer(ForeignAnswersTest::isRelease, reply, 3);
            lock.release();
            awaitGone();
        }
        assertThat(events.all(LockEvent.Lost.class)).isEmpty();
    }

    @Test
    void f51AServerWithoutScriptsRefusesDefinitely() {
        LockClient patient = patient(proxy.uri());
        proxy.answer(ForeignAnswersTest::isAcquire, UNKNOWN_COMMAND);
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> patient.acquire(once("42").withFencing()));
        assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(told).hasMessageContaining("unknown command");
        assertThat(patient.unresolved()).isZero();
        proxy.clearAnswers();
        take(patient, LockRequest.of("42")).release();
    }

    @Test
    void f51AServerThatLearnsScriptsAgainIsUsedWithoutAnError() {
        LockClient patient = patient(proxy.uri());
        proxy.answer(ForeignAnswersTest::isAcquire, UNKNOWN_COMMAND, 2);
        try (LockHandle lock = patient.acquire("42")) {
            assertThat(lock.isHeld()).isTrue();
        }
    }

    /** Redis before 6.2 has no GETEX: locks could be taken there, but neither renewed nor released. */
    @Test
    void f51AServerThatIsTooOldIsRefusedBeforeTheFirstLock() {
        try (RedisServer old = RedisServer.start("--rename-command", "GETEX", "")) {
            LockClient onOld = client(old.uri());
            await().untilAsserted(() -> assertThat(catchThrowableOfType(
                            LockUnavailableException.class, () -> onOld.acquire(LockRequest.of("42"))))
                    .hasMessageContaining("+getex")
                    .hasMessageContaining("6.2"));
            assertThat(old.command("EXISTS", KEY)).isEqualTo(0L);
        }
    }

    private static boolean isAcquire(List<String> command) {
        return FaultTest.isAcquire(String.join(" ", command));
    }

    private static boolean isExtend(List<String> command) {
        return FaultTest.isExtend(String.join(" ", command));
    }

    private static boolean isRelease(List<String> command) {
        return FaultTest.isRelease(String.join(" ", command));
    }

    private void awaitService() {
        await().ignoreExceptions().until(() -> {
            proxied.acquire("42").release();
            return !isInRedis() && proxied.unresolved() == 0;
        });
    }
}
