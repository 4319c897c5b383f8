package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.SharedQueueContract;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisContractTest extends SharedQueueContract {

    private static RedisServer server;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        store = RedisLockStore.of(RedisURI.create(server.uri()));
    }

    @AfterAll
    static void stop() {
        store.close();
        server.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected Duration patienceMargin() {
        return QueueMargin.OF_REDIS;
    }

    @Override
    protected void assertNothingIsLeft() {
        assertThat(server.command("KEYS", "*:q")).isEqualTo(List.of());
    }
}
