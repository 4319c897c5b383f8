package io.distributedlock.contract;

import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.redis.ReplicatedLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ReplicatedContractTest extends LockStoreContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static RedisServer master;
    private static RedisServer replica;
    private static ReplicatedLockStore store;

    @BeforeAll
    static void start() {
        master = RedisServer.start("--repl-diskless-sync-delay", "0");
        replica = RedisServer.start("--replicaof", "127.0.0.1 " + master.port());
        store = new ReplicatedLockStore(
                new RedisLockStore(connection(), "lock"), connection(), 1, Duration.ofSeconds(4));
    }

    private static RedisLockConnection connection() {
        return new RedisLockConnection(RedisClientSource.of(RedisURI.create(master.uri())), TIMEOUT);
    }

    @AfterAll
    static void stop() {
        store.close();
        replica.close();
        master.close();
    }

    @Override
    public LockStore store() {
        return store;
    }
}
