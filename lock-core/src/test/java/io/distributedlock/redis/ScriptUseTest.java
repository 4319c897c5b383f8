package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.DialectRelay;
import io.distributedlock.testkit.relay.DialectRelay.Dialect;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.relay.RelayConnection;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When locks are kept without scripts. */
class ScriptUseTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final String KEY = "lock:{42}";

    private final List<LockClient> clients = new ArrayList<>();
    private final RedisServer server = RedisServer.start();
    private final DialectRelay dialect = new DialectRelay(server, Dialect.AS_TAIR);

    @AfterEach
    void stop() {
        clients.forEach(LockClient::close);
        dialect.close();
        server.close();
    }

    private LockClient client(ScriptUse use) {
        return client(dialect.commands().uri(), use);
    }

    private LockClient client(String uri, ScriptUse use) {
        return client(uri, use, TTL);
    }

    private LockClient client(String uri, ScriptUse use, Duration ttl) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), ttl.dividedBy(3));
        LockClient client = LockClient.builder(new RedisLockStore(connections, "lock", true, use))
                .ttl(ttl)
                .waitTime(Duration.ofSeconds(20))
                .build();
        clients.add(client);
        return client;
    }

    private long scripts() {
        CommandRelay commands = dialect.commands();
        return commands.count("EVAL") + commands.count("EVALSHA");
    }

    private boolean isInRedis() {
        return server.command("EXISTS", KEY).equals(1L);
    }

    private static LockHandle unbound(LockHandle lock) {
        lock.unbind();
        return lock;
    }

    @Test
    void aServerThatHasRefusedAScriptIsSentNoOther() {
        LockClient client = client(ScriptUse.AUTO);
        client.acquire("42").release();
        long refused = scripts();
        for (int i = 0; i < 5; i++) {
            LockHandle lock = client.acquire("42");
            assertThat(isInRedis()).isTrue();
            assertThat(lock.extendAsync(TTL.multipliedBy(2)).join()).isTrue();
            lock.release();
            assertThat(isInRedis()).isFalse();
        }
        assertThat(scripts()).isEqualTo(refused);
    }

    @Test
    void noScriptIsSentWhereNoneMayBeUsed() {
        dialect.speakWithScripts(Dialect.AS_TAIR);
        LockClient client = client(ScriptUse.NEVER);
        client.acquire("42").release();
        assertThat(client.acquire(LockRequest.of("42").withTtl(TTL)).isHeld()).isTrue();
        assertThat(scripts() + dialect.commands().count("SCRIPT")).isZero();
        assertThat(dialect.commands().count("SUBSCRIBE")).isZero();
    }

    @Test
    void aUserWithoutTheRightToScriptsHasLocks() {
        dialect.speakWithScripts(Dialect.AS_REDIS_8_4);
        server.command("ACL", "SETUSER", "shop", "on", ">secret", "~*", "&*", "+@all", "-eval", "-evalsha");
        LockClient client =
                client("redis://shop:secret@127.0.0.1:" + dialect.commands().port(), ScriptUse.AUTO);
        client.acquire("42").release();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void aLockThatAScriptHasGrantedIsRenewedAndReleasedWhenScriptsAreRefused() {
        dialect.speakWithScripts(Dialect.AS_TAIR);
        String uri = dialect.commands().uri();
        LockClient client = client(uri, ScriptUse.AUTO, SHORT);
        LockHandle lock = unbound(client.acquire(LockRequest.of("42").withFencing()));
        CompletableFuture<LockHandle> waiter =
                client(uri, ScriptUse.AUTO, SHORT).acquireAsync(LockRequest.of("42"));
        await().until(() -> String.valueOf(server.command("GET", KEY)).endsWith("!"));
        dialect.speak(Dialect.AS_TAIR);
        dialect.commands().relay().cut(Cut.RST);
        long before = dialect.commands().count("CAS");
        await().atMost(SHORT.multipliedBy(5)).until(() -> dialect.commands().count("CAS") > before + 2);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        LockHandle next = waiter.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(next.isHeld()).isTrue();
        next.release();
        await().until(() -> !isInRedis());
    }

    @Test
    void scriptsAreUsedAgainOnceTheServerRunsThem() {
        LockClient client = client(ScriptUse.AUTO);
        client.acquire("42").release();
        dialect.speakWithScripts(Dialect.AS_TAIR);
        dialect.commands().relay().cut(Cut.RST);
        await().ignoreExceptionsInstanceOf(LockUnavailableException.class).until(() -> {
            try (LockHandle lock = client.acquire(LockRequest.of("42").withFencing())) {
                return lock.fencingToken() > 0;
            }
        });
    }

    @Test
    void withoutScriptsAndCommandsALockIsRefusedUntilThereAreSome() {
        dialect.speak(Dialect.OLD);
        LockClient client = client(dialect.commands().uri(), ScriptUse.AUTO, SHORT);
        assertThatThrownBy(() -> client.acquire("42"))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContainingAll("DELIFEQ", "Valkey 9.0", "+eval");
        dialect.speakWithScripts(Dialect.OLD);
        client.acquire("42").release();
    }

    @Test
    void whatTakesScriptsIsRefusedAtTheRequest() {
        LockClient client = client(dialect.commands().uri(), ScriptUse.AUTO, SHORT);
        assertThatThrownBy(() -> client.acquire(LockRequest.of("42").withFencing()))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContainingAll("fencing token", "needs scripts", "withFencing()");
        assertThatThrownBy(() -> client.acquire(LockRequest.of("42").shared()))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContainingAll("shared lock", "needs scripts", "exclusively");
        try (LockHandle lock = client.acquire("42")) {
            assertThatThrownBy(lock::fencingToken)
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("needs scripts");
        }
    }

    private RedisLockStore store(String uri, ScriptUse use) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), Duration.ofSeconds(1));
        return new RedisLockStore(connections, "lock", true, use);
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static StoreException failureOf(CompletionStage<?> call) {
        Throwable failure = now(call.handle((answer, thrown) -> thrown));
        return failure instanceof CompletionException ? (StoreException) failure.getCause() : (StoreException) failure;
    }

    /** Nothing but a script can tell whose share it is. */
    @Test
    void aShareIsNeitherLostNorReleasedWhileScriptsAreRefused() {
        dialect.speakWithScripts(Dialect.AS_TAIR);
        Claim reader = new Claim("42", "reader", LockMode.SHARED);
        try (RedisLockStore store = store(dialect.commands().uri(), ScriptUse.AUTO)) {
            await().ignoreExceptions().until(() -> now(store.acquire(reader, TTL, Duration.ZERO)) instanceof Granted);
            dialect.speak(Dialect.AS_TAIR);
            assertThat(failureOf(store.extend(reader, 0, TTL)).effect()).isEqualTo(Effect.REFUSED);
            assertThat(failureOf(store.release(reader)).effect()).isEqualTo(Effect.REFUSED);
            assertThat(store.problem())
                    .hasValueSatisfying(problem ->
                            assertThat(problem).contains("refuses to renew", "refuses to release", "needs scripts"));
        }
    }

    @Test
    void aPlaceInTheQueueThatNoScriptCouldTakeBackIsNotKeptByADeadOwner() {
        dialect.speakWithScripts(Dialect.AS_TAIR);
        Claim holder = new Claim("42", "holder");
        Claim waiter = new Claim("42", "waiter");
        try (RedisLockStore scripted = store(server.uri(), ScriptUse.AUTO);
                RedisLockStore store = store(dialect.commands().uri(), ScriptUse.AUTO)) {
            Duration lease = Duration.ofMinutes(1);
            await().ignoreExceptions()
                    .until(() -> now(scripted.acquire(holder, lease, Duration.ZERO)) instanceof Granted);
            await().ignoreExceptions()
                    .until(() ->
                            now(store.acquire(waiter, lease, lease)) instanceof Refused refused && refused.queued());
            dialect.speak(Dialect.AS_TAIR);
            assertThat(now(store.release(waiter)).held()).isFalse();
            long before = dialect.deletes();
            assertThat(now(scripted.release(holder)).held()).isTrue();
            await("the lock is passed on").until(() -> dialect.deletes() > before && !isInRedis());
        }
    }

    @Test
    void aRefusedReleaseIsNoReasonToTryScriptsThatMayNotBeUsed() {
        dialect.speakWithScripts(Dialect.AS_TAIR);
        Claim holder = new Claim("42", "holder");
        try (RedisLockStore store = store(dialect.commands().uri(), ScriptUse.NEVER)) {
            now(store.ready());
            now(store.acquire(holder, TTL, Duration.ZERO));
            dialect.speakWithScripts(Dialect.OLD);
            failureOf(store.release(holder));
            assertThat(store.problem())
                    .hasValueSatisfying(
                            problem -> assertThat(problem).contains("refuses to release", "unknown command"));
            dialect.speakWithScripts(Dialect.AS_TAIR);
            await("the end of it is noticed").until(() -> store.problem().isEmpty());
            assertThat(scripts()).isZero();
        }
    }

    /** The server may not be asked to drop the connection that has ended, as behind a proxy. */
    @Test
    void aScriptPromisesNoMoreThanIsLeftIfAPlainExtensionIsExecutedLate() {
        Claim holder = new Claim("42", "holder");
        try (Relay relay = Relay.to(dialect.commands().port());
                RedisLockStore store = store(relay.uri(), ScriptUse.AUTO)) {
            await().ignoreExceptions()
                    .until(() -> now(store.acquire(holder, TTL.dividedBy(3), Duration.ZERO)) instanceof Granted);
            RelayConnection old = relay.connections().get(0);
            CompletableFuture<RelayConnection> held =
                    old.holdWhen(Direction.REQUESTS, request -> request.startsWith("CAS " + KEY));
            CompletionStage<Duration> lost = store.extend(holder, 0, TTL);
            held.orTimeout(30, TimeUnit.SECONDS).join();
            dialect.speakWithScripts(Dialect.AS_TAIR);
            dialect.commands().answer(words -> words.contains("KILL"), "-ERR unknown command 'CLIENT'\r\n");
            old.cutClientSide(Cut.RST);
            assertThat(failureOf(lost).effect()).isEqualTo(Effect.UNKNOWN);
            await().until(() -> failureOf(store.release(new Claim("7", "nobody"))) == null);
            server.command("SET", KEY, holder.owner(), "PX", "10000");
            long before = scripts();
            Duration promised = now(store.extend(holder, 0, TTL.multipliedBy(10)));
            assertThat(scripts()).isGreaterThan(before);
            assertThat((Long) server.command("PTTL", KEY)).isGreaterThan(TTL.toMillis());
            old.deliver(Direction.REQUESTS);
            await().until(() -> (Long) server.command("PTTL", KEY) <= TTL.toMillis());
            assertThat(promised).isPositive().isLessThanOrEqualTo(TTL);
        }
    }

    @Test
    void theMonitorFindsALockThatIsKeptWithoutScripts() {
        LockClient client = client(ScriptUse.NEVER);
        try (LockHandle lock = client.acquire("42")) {
            assertThat(client.monitor().find("42")).isPresent();
        }
        assertThat(client.monitor().find("42")).isEmpty();
    }
}
