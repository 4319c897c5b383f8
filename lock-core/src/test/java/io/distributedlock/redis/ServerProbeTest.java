package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.internal.support.CapturedLog;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.provider.Profile;
import io.distributedlock.testkit.provider.Profiles;
import io.distributedlock.testkit.provider.ProviderRelay;
import io.distributedlock.testkit.provider.RentedServer;
import io.distributedlock.testkit.provider.RentedServer.Wakes;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server does not accept is known before the first lock, and what it refuses is shown until it is over. */
class ServerProbeTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Claim CLAIM = new Claim("42", "owner");

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anOrdinaryServerQueuesWaitersAndNothingOfTheProbeIsLeft() {
        try (RedisLockStore store = RedisLockStore.of(RedisURI.create(server.uri()))) {
            now(store.ready());
            await().until(() -> "queue".equals(store.description().get("waiters")));
            await().until(() -> store.description().get("server").startsWith("redis 7"));
            await().until(() -> server.command("KEYS", "*").equals(List.of()));
            assertThat(store.description()).containsEntry("scripts", "all").containsEntry("release", "script");
            assertThat(store.problem()).isEmpty();
        }
    }

    @Test
    void aProxyThatChecksScriptsIsKnownBeforeTheFirstLock() {
        assertThat(waysBehind(Profiles.ALIBABA_PROXY)).isEqualTo("without messages");
    }

    @Test
    void aServerWithoutScriptsIsKnownBeforeTheFirstLock() {
        assertThat(waysBehind(Profiles.NO_SCRIPTS)).isEqualTo("none");
    }

    /** No lock is asked for, and where nothing is missing nothing is said. */
    @ParameterizedTest
    @EnumSource
    void whatIsMissingIsSaidBeforeTheFirstLock(RentedServer rented) {
        Class<?> source = rented.runsScripts() ? AcceptedScripts.class : RedisLockConnection.class;
        try (CapturedLog log = CapturedLog.of(source);
                ProviderRelay relay = ProviderRelay.to(server.port(), rented.profile());
                RedisLockStore store = RedisLockStore.of(RedisURI.create(relay.uri()))) {
            now(store.ready());
            if (rented.wakes() == Wakes.QUEUE) {
                await().until(() -> "queue".equals(store.description().get("waiters")));
                assertThat(log.messages()).isEmpty();
            } else {
                String missing = rented.runsScripts() ? "Waiters are not notified" : "runs no scripts";
                await().untilAsserted(() -> assertThat(log.messages())
                        .anySatisfy(text -> assertThat(text).contains(missing, "docs/where-your-redis-is.md")));
            }
        }
    }

    /** No lock is asked for. */
    private String waysBehind(Profile profile) {
        try (ProviderRelay relay = ProviderRelay.to(server.port(), profile);
                RedisLockStore store = RedisLockStore.of(RedisURI.create(relay.uri()))) {
            now(store.ready());
            await().until(() -> !"all".equals(store.description().get("scripts")));
            assertThat(store.description()).containsEntry("waiters", "polling");
            assertThat(store.problem()).isEmpty();
            return store.description().get("scripts");
        }
    }

    @Test
    void aRefusedReleaseIsAProblemUntilTheServerWouldReleaseAgain() {
        try (RedisLockStore store = RedisLockStore.of(RedisURI.create(server.uri()))) {
            await().ignoreExceptions().until(() -> now(store.acquire(CLAIM, TTL, Duration.ZERO)) instanceof Granted);
            server.command("ACL", "SETUSER", "default", "-del");
            await().until(() ->
                    isRefused(store.release(CLAIM)) && store.problem().isPresent());
            assertThat(store.problem().orElseThrow()).contains("release", "script");
            server.command("ACL", "SETUSER", "default", "+del");
            await().until(() -> store.problem().isEmpty());
            assertThat(now(store.release(CLAIM)).held()).isTrue();
        }
    }

    /** A context that is stopped and started again does that with its connections. */
    @Test
    void aProblemThatIsMendedWhileTheConnectionIsStoppedIsOverAfterwards() {
        RedisLockConnection connection = connection();
        try (RedisLockStore store = refusedTheRelease(connection)) {
            connection.stop();
            server.command("ACL", "SETUSER", "default", "+del");
            connection.start();
            await().until(() -> store.problem().isEmpty());
        }
    }

    @Test
    void aProblemThatComesAgainOnTheNextConnectionEndsToo() {
        RedisLockConnection connection = connection();
        try (RedisLockStore store = refusedTheRelease(connection)) {
            connection.stop();
            connection.start();
            await().until(() -> store.release(CLAIM)
                    .handle((release, failure) ->
                            failure != null && RedisReplies.failure(failure).effect() != Effect.NOT_SENT)
                    .toCompletableFuture()
                    .join());
            server.command("ACL", "SETUSER", "default", "+del");
            await().until(() -> store.problem().isEmpty());
        }
    }

    private RedisLockConnection connection() {
        return new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), Duration.ofSeconds(1));
    }

    private RedisLockStore refusedTheRelease(RedisLockConnection connection) {
        RedisLockStore store = new RedisLockStore(connection, "lock");
        await().ignoreExceptions().until(() -> now(store.acquire(CLAIM, TTL, Duration.ZERO)) instanceof Granted);
        server.command("ACL", "SETUSER", "default", "-del");
        await().until(() -> isRefused(store.release(CLAIM)) && store.problem().isPresent());
        return store;
    }

    @Test
    void aRefusedRenewalIsAProblemUntilTheServerWouldRenewAgain() {
        try (RedisLockStore store = RedisLockStore.of(RedisURI.create(server.uri()))) {
            await().ignoreExceptions().until(() -> now(store.acquire(CLAIM, TTL, Duration.ZERO)) instanceof Granted);
            server.command("ACL", "SETUSER", "default", "-pexpire");
            await().until(() -> isRefused(store.extend(CLAIM, 0, TTL.multipliedBy(2)))
                    && store.problem().isPresent());
            assertThat(store.problem().orElseThrow()).contains("renew");
            server.command("ACL", "SETUSER", "default", "+pexpire");
            await().until(() -> store.problem().isEmpty());
        }
    }

    /** Also while the server does not answer. */
    @Test
    void toAskForTheProblemSendsNothing() {
        try (CommandRelay relay = CommandRelay.to(server.port());
                RedisLockStore store = RedisLockStore.of(RedisURI.create(relay.uri()))) {
            await().ignoreExceptions().until(() -> now(store.acquire(CLAIM, TTL, Duration.ZERO)) instanceof Granted);
            server.command("ACL", "SETUSER", "default", "-del");
            await().until(() ->
                    isRefused(store.release(CLAIM)) && store.problem().isPresent());
            relay.relay().hold(Direction.REPLIES);
            long first = relay.count("HELLO");
            await("the next probe").until(() -> store.problem().isPresent() && relay.count("HELLO") > first);
            long before = relay.count("HELLO");
            for (int i = 0; i < 10_000; i++) {
                assertThat(store.problem()).isPresent();
            }
            relay.relay().deliver(Direction.REPLIES);
            isRefused(store.release(CLAIM));
            assertThat(relay.count("HELLO") - before).isLessThan(1_000);
        }
    }

    @Test
    void aProbeThatIsNotAnsweredDecidesNothing() {
        try (ProviderRelay relay = ProviderRelay.to(server.port(), Profiles.ALIBABA_PROXY);
                RedisLockStore store = RedisLockStore.of(RedisURI.create(relay.uri()))) {
            now(store.ready());
            relay.relay().hold(Direction.REPLIES);
            assertThat(store.problem()).isEmpty();
            relay.relay().deliver(Direction.REPLIES);
            await().ignoreExceptions().until(() -> now(store.acquire(CLAIM, TTL, Duration.ZERO)) instanceof Granted);
            assertThat(now(store.release(CLAIM)).held()).isTrue();
        }
    }

    private static boolean isRefused(CompletionStage<?> call) {
        return call.handle((answer, failure) -> failure != null)
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
