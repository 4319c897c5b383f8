package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.redis.ScriptUse;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.testkit.relay.DialectRelay;
import io.distributedlock.testkit.relay.DialectRelay.Dialect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract where scripts are refused, in each dialect. The commands of the server itself are tested where it has
 * them: with {@code -Ddistributedlock.redis-server}, for example a Valkey 9.
 */
@ParameterizedClass
@EnumSource(value = Dialect.class, names = "OLD", mode = EnumSource.Mode.EXCLUDE)
class ScriptlessContractTest extends LockStoreContract {

    private static RedisServer server;
    private static DialectRelay relay;
    private static RedisLockStore store;

    private static boolean hasCommands;

    @Parameter
    private Dialect dialect;

    @BeforeParameterizedClassInvocation
    static void start(Dialect dialect) {
        server = RedisServer.start();
        relay = new DialectRelay(server, dialect);
        hasCommands = relay.has(dialect);
        RedisURI uri = RedisURI.create(relay.commands().uri());
        RedisLockConnection connections = new RedisLockConnection(RedisClientSource.of(uri), Duration.ofSeconds(1));
        store = new RedisLockStore(connections, "lock", true, ScriptUse.NEVER);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        store.close();
        relay.close();
        server.close();
    }

    @Override
    public LockStore store() {
        assumeThat(hasCommands)
                .as("this server compares and deletes by itself; set -Ddistributedlock.redis-server to a Valkey 9")
                .isTrue();
        return store;
    }

    @Override
    protected boolean hasTokens() {
        return false;
    }

    @AfterEach
    void noScriptWasRun() {
        assertThat(relay.commands().count("EVALSHA") + relay.commands().count("EVAL"))
                .isZero();
    }
}
