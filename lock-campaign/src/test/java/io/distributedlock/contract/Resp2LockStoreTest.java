package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.LockClientOptions;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.test.store.SharedLockContract;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** In RESP2 a connection can't carry messages beside commands: everything works, but no caller is queued. */
class Resp2LockStoreTest extends LockStoreContract implements SharedLockContract {

    private static RedisServer server;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        RedisURI uri = RedisURI.create(server.uri());
        store = new RedisLockStore(new RedisLockConnection(new Resp2(uri), Duration.ofSeconds(1)), "lock");
    }

    @AfterAll
    static void stop() {
        store.close();
        server.close();
    }

    /** An application whose driver is set to RESP2. */
    private record Resp2(RedisURI uri) implements RedisClientSource {

        @Override
        public AbstractRedisClient open(LockClientOptions safety) {
            ClientResources base = DefaultClientResources.create();
            RedisClient client = RedisClient.create(safety.resources(base), uri);
            client.setOptions(safety.options(ClientOptions.builder()
                    .protocolVersion(ProtocolVersion.RESP2)
                    .build()));
            return client;
        }

        @Override
        public void close(AbstractRedisClient client) {
            client.shutdown();
        }
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Test
    void aRefusedClaimIsNotQueued() {
        store.acquire(new Claim("42", "holder"), Duration.ofSeconds(30), Duration.ZERO)
                .toCompletableFuture()
                .join();
        AcquireResult attempt = store.acquire(new Claim("42", "waiter"), Duration.ofSeconds(30), Duration.ofMinutes(1))
                .toCompletableFuture()
                .join();
        assertThat(attempt)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.queued()).isFalse());
        assertThat(server.command("PUBSUB", "CHANNELS")).isEqualTo(List.of());
        assertThat(server.command("EXISTS", "lock:{42}:q")).isEqualTo(0L);
    }
}
