package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.DialectRelay;
import io.distributedlock.testkit.relay.DialectRelay.Dialect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When locks are kept without scripts. */
class ScriptUseTest {

    private static final Duration TTL = Duration.ofSeconds(3);
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
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), Duration.ofSeconds(1));
        LockClient client = LockClient.builder(new RedisLockStore(connections, "lock", true, use))
                .ttl(TTL)
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
        LockClient client = client(ScriptUse.AUTO);
        LockHandle lock = unbound(client.acquire(LockRequest.of("42").withFencing()));
        CompletableFuture<LockHandle> waiter = client(ScriptUse.AUTO).acquireAsync(LockRequest.of("42"));
        await().until(() -> String.valueOf(server.command("GET", KEY)).endsWith("!"));
        dialect.speak(Dialect.AS_TAIR);
        dialect.commands().relay().cut(Cut.RST);
        long before = dialect.commands().count("CAS");
        await().atMost(TTL.multipliedBy(5)).until(() -> dialect.commands().count("CAS") > before + 2);
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
        LockClient client = client(ScriptUse.AUTO);
        assertThatThrownBy(() -> client.acquire("42"))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContainingAll("DELIFEQ", "Valkey 9.0", "+eval");
        dialect.speakWithScripts(Dialect.OLD);
        client.acquire("42").release();
    }

    @Test
    void whatTakesScriptsIsRefusedAtTheRequest() {
        LockClient client = client(ScriptUse.AUTO);
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

    @Test
    void theMonitorFindsALockThatIsKeptWithoutScripts() {
        LockClient client = client(ScriptUse.NEVER);
        try (LockHandle lock = client.acquire("42")) {
            assertThat(client.monitor().find("42")).isPresent();
        }
        assertThat(client.monitor().find("42")).isEmpty();
    }
}
