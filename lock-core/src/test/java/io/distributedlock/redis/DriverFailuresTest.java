package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How commands end when their connection does, as the driver really tells it. */
class DriverFailuresTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(200);

    private final RedisServer server = RedisServer.start();
    private final CommandRelay commands = CommandRelay.to(server.port());
    private final Relay relay = commands.relay();
    private LockStore store = store(true);
    private int claims;

    private RedisLockStore store(boolean notifications) {
        RedisClientSource source = RedisClientSource.of(RedisURI.create(relay.uri()));
        return new RedisLockStore(new RedisLockConnection(source, COMMAND_TIMEOUT), "lock", notifications);
    }

    @BeforeEach
    void connect() {
        long others = commands.count("EVALSHA");
        await().ignoreExceptions().until(() -> ended(acquire()).isGranted());
        awaitProbe(others);
    }

    @AfterEach
    void disconnect() {
        store.close();
        relay.close();
        server.close();
    }

    /** An answer or the effect of a failure. */
    private record End(boolean isGranted, Effect effect) {}

    private CompletionStage<AcquireResult> acquire() {
        return store.acquire(new Claim("" + ++claims, "owner", LockMode.EXCLUSIVE, true), TTL, Duration.ZERO);
    }

    /** What the client asks of a fresh connection is answered; one script was that of {@link #connect()}. */
    private void awaitProbe(long scriptsBefore) {
        await().until(() -> commands.count("EVALSHA") >= scriptsBefore + 4);
    }

    private static End ended(CompletionStage<AcquireResult> attempt) {
        return attempt.handle((answer, failure) -> new End(answer instanceof AcquireResult.Granted, effect(failure)))
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private static Effect effect(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null ? null : ((StoreException) cause).effect();
    }

    /**
     * The driver neither sends nor fails what is written at the moment at which its connection ends; the engine's
     * deadline ends that.
     */
    private static ConditionFactory afterTheEnd() {
        return await().pollDelay(Duration.ofMillis(200)).ignoreExceptions();
    }

    private CompletionStage<AcquireResult> inFlight(Direction held) {
        CompletableFuture<?> sent = relay.holdWhen(held, request -> request.contains("EVAL"));
        CompletionStage<AcquireResult> attempt = acquire();
        sent.orTimeout(20, TimeUnit.SECONDS).join();
        return attempt;
    }

    @Test
    void aCommandWhoseConnectionWasClosedBeforeItsReplyMayHaveBeenExecuted() {
        for (Direction held : Direction.values()) {
            for (Cut cut : Cut.values()) {
                CompletionStage<AcquireResult> attempt = inFlight(held);
                relay.cut(cut);
                assertThat(ended(attempt).effect()).as("%s %s", held, cut).isEqualTo(Effect.UNKNOWN);
                relay.deliver(held);
                afterTheEnd().until(() -> ended(acquire()).isGranted());
            }
        }
    }

    @Test
    void aCommandThatIsNotAnsweredEndsInTheEndAndMayHaveBeenExecuted() {
        assertThat(ended(inFlight(Direction.REPLIES)).effect()).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void aCommandThatIsUnderWayWhenItsStoreIsClosedMayHaveBeenExecuted() {
        CompletionStage<AcquireResult> attempt = inFlight(Direction.REPLIES);
        store.close();
        assertThat(ended(attempt).effect()).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void aCommandForAStoreThatIsClosedIsNotSent() {
        store.close();
        assertThat(ended(acquire()).effect()).isEqualTo(Effect.NOT_SENT);
    }

    @Test
    void aCommandWhileThereIsNoConnectionIsNotSent() {
        relay.refuse(true);
        relay.cut(Cut.FIN);
        long before = commands.count("EVALSHA");
        afterTheEnd().until(() -> ended(acquire()).effect() == Effect.NOT_SENT);
        for (int i = 0; i < 100; i++) {
            assertThat(ended(acquire()).effect()).isEqualTo(Effect.NOT_SENT);
        }
        assertThat(commands.count("EVALSHA") - before).isLessThan(100);
        relay.refuse(false);
        await().until(() -> ended(acquire()).isGranted());
    }

    @Test
    void aCommandForAServerThatWasNeverThereIsNotSent() {
        try (LockStore nowhere = RedisLockStore.of(RedisURI.create("redis://127.0.0.1:1"))) {
            assertThat(ended(nowhere.acquire(new Claim("42", "owner"), TTL, Duration.ZERO))
                            .effect())
                    .isEqualTo(Effect.NOT_SENT);
        }
    }

    @Test
    void aReplyThatIsNoRedisReplyLeavesTheEffectOpen() {
        commands.answer(command -> command.get(0).equals("EVALSHA"), "HTTP/1.1 400 Bad Request\r\n\r\n", 1);
        assertThat(ended(acquire()).effect()).isEqualTo(Effect.UNKNOWN);
    }

    /**
     * On a connection without messages the driver then fails what comes behind in the same way, although the server may
     * have executed it.
     */
    @Test
    void aConnectionThatIsDeniedAfterItWasOpenLeavesTheEffectOfAllCommandsOpen() {
        store.close();
        store = store(false);
        connect();
        commands.answer(
                command -> command.get(0).equals("EVALSHA"), "-DENIED Redis is running in protected mode\r\n", 1);
        long before = commands.count("EVALSHA");
        relay.hold(Direction.REPLIES);
        CompletionStage<AcquireResult> first = acquire();
        CompletionStage<AcquireResult> second = acquire();
        await().until(() -> commands.count("EVALSHA") == before + 2);
        relay.deliver(Direction.REPLIES);
        assertThat(ended(first).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(ended(second).effect()).isEqualTo(Effect.UNKNOWN);
    }
}
