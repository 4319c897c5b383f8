package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.internal.support.CapturedLog;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.provider.Profile;
import io.distributedlock.testkit.provider.Profiles;
import io.distributedlock.testkit.provider.ProviderRelay;
import io.distributedlock.testkit.provider.RentedServer;
import io.distributedlock.testkit.provider.RentedServer.Wakes;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What locks do behind the rules of each provider, and that nothing is left in Redis there. */
class ProviderProfilesTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SHORT_TTL = Duration.ofSeconds(2);

    private static RedisServer server;
    private ProviderRelay relay;
    private RedisLockStore store;
    private LockClient client;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void forgetAll() {
        server.command("FLUSHALL");
        server.command("SCRIPT", "FLUSH");
    }

    @AfterEach
    void close() {
        client.close();
        relay.close();
    }

    private void connect(Profile profile) {
        connect(profile, SHORT_TTL);
    }

    private void connect(Profile profile, Duration ttl) {
        relay = ProviderRelay.to(server.port(), profile);
        store = RedisLockStore.of(RedisURI.create(relay.uri()));
        client = LockClient.builder(store).ttl(ttl).build();
        now(store.ready());
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"},
            mode = Mode.EXCLUDE)
    void anExclusiveLockIsTakenRenewedAndReleased(RentedServer rented) {
        connect(rented.profile());
        for (int i = 0; i < 3; i++) {
            Claim claim = new Claim("42", "owner" + i);
            assertThat(now(store.acquire(claim, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
            assertThat(now(store.extend(claim, 0, TTL.plusSeconds(30)))).isEqualTo(TTL.plusSeconds(30));
            assertThat(now(store.release(claim)).held()).isTrue();
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"},
            mode = Mode.EXCLUDE)
    void aWaiterIsWokenByTheQueueOrPolls(RentedServer rented) {
        connect(rented.profile(), TTL);
        try (LockHandle held = client.acquire("42")) {
            if (rented.wakes() == Wakes.QUEUE) {
                await().until(() -> tried("waiter").queued());
                now(store.release(new Claim("42", "waiter")));
            }
            CompletableFuture<LockHandle> waiting =
                    client.acquireAsync(LockRequest.of("42").withWaitTime(Duration.ofSeconds(20)));
            if (rented.wakes() == Wakes.POLLING) {
                assertThat(tried("other").queued()).isFalse();
            }
            held.release();
            now(waiting).release();
        }
        assertNothingIsLeft();
    }

    private Refused tried(String owner) {
        return (Refused) now(store.acquire(new Claim("42", owner), TTL, TTL));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"},
            mode = Mode.EXCLUDE)
    void tokensAndSharesAreGrantedWhereScriptsRunAndRefusedElsewhere(RentedServer rented) {
        connect(rented.profile());
        Claim fenced = new Claim("42", "owner", LockMode.EXCLUSIVE, true);
        Claim reader = new Claim("43", "reader", LockMode.SHARED);
        Claim second = new Claim("43", "second", LockMode.SHARED);
        if (rented.runsScripts()) {
            Granted granted = (Granted) now(store.acquire(fenced, TTL, Duration.ZERO));
            assertThat(granted.token()).isPositive();
            now(store.release(fenced));
            assertThat(now(store.acquire(reader, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
            assertThat(now(store.acquire(second, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
            assertThat(now(store.extend(reader, 0, TTL.plusSeconds(30)))).isEqualTo(TTL.plusSeconds(30));
            assertThat(now(store.release(reader)).held()).isTrue();
            assertThat(now(store.release(second)).held()).isTrue();
        } else {
            assertThatThrownBy(() -> now(store.acquire(fenced, TTL, Duration.ZERO)))
                    .hasMessageContaining("needs scripts");
            assertThatThrownBy(() -> now(store.acquire(reader, TTL, Duration.ZERO)))
                    .hasMessageContaining("needs scripts");
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"})
    void noLockIsTakenThatCouldNotBeReleased(RentedServer rented) {
        connect(rented.profile());
        assertThatThrownBy(() -> client.acquire("42")).isInstanceOf(LockUnavailableException.class);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"},
            mode = Mode.EXCLUDE)
    void whatWasHeldBeforeAFailoverToAStricterNodeIsRenewedAndReleased(RentedServer rented) {
        connect(Profiles.BARE);
        Claim held = new Claim("43", "owner");
        now(store.acquire(held, TTL, Duration.ZERO));
        LockHandle handle = client.acquire("42");

        relay.failOverTo(rented.profile());
        assertThat(now(store.extend(held, 0, TTL.plusSeconds(30)))).isEqualTo(TTL.plusSeconds(30));
        assertThat(now(store.release(held)).held()).isTrue();
        handle.release();
        client.acquire("42").release();
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"})
    void aHolderIsNotifiedWhereItsLockCanNotBeRenewedAfterAFailover(RentedServer rented) {
        connect(Profiles.BARE, SHORT_TTL.multipliedBy(3));
        LockHandle handle = taken(LockRequest.of("42"));
        try (CapturedLog log = CapturedLog.of(RefusedCommands.class)) {
            relay.failOverTo(rented.profile());
            awaitProblem("refuses to renew", log);
            now(handle.lost());
        }
        assertThat(handle.isHeld()).isFalse();
        assertThat(client.monitor().statistics().failedRenewals()).isPositive();
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"})
    void aReleaseThatIsRefusedAfterAFailoverIsAProblemUntilItSucceeds(RentedServer rented) {
        connect(Profiles.BARE);
        LockHandle handle = taken(LockRequest.of("42").withTtl(Duration.ofHours(1)));
        try (CapturedLog log = CapturedLog.of(RefusedCommands.class)) {
            relay.failOverTo(rented.profile());
            handle.release();
            awaitProblem("refuses to release", log);
        }
        assertThat(client.monitor().statistics().unresolved()).isPositive();
        relay.failOverTo(Profiles.BARE);
        assertNothingIsLeft();
        await().until(() -> client.monitor().health().isHealthy());
    }

    /** On a busy machine the answer to a question about health may be late as well. */
    private void awaitProblem(String problem, CapturedLog log) {
        await().untilAsserted(
                        () -> assertThat(client.monitor().health().problem()).contains(problem, "It answers: "));
        assertThat(log.messages()).anySatisfy(text -> assertThat(text).contains(problem));
    }

    private LockHandle taken(LockRequest request) {
        LockHandle lock = await().ignoreExceptions()
                .until(() -> client.acquireAsync(request).get(20, TimeUnit.SECONDS), handle -> true);
        lock.unbind();
        return lock;
    }

    /** But the counters of tokens. */
    private static void assertNothingIsLeft() {
        await().untilAsserted(() ->
                assertThat(keys()).filteredOn(key -> !key.contains("fence")).isEmpty());
    }

    private static List<String> keys() {
        return ((List<?>) server.command("KEYS", "*"))
                .stream().map(String::valueOf).toList();
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
