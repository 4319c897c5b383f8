package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.redis.PatientStore;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReentrantLockOnRedisTest extends ReentrantLockContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    LockStore store() {
        return PatientStore.of(server.uri());
    }

    @Test
    void aStoreThatCannotBeReachedIsNoRefusal() {
        RedisServer gone = RedisServer.start();
        gone.close();
        try (LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(gone.uri())))
                .build()) {
            Lock lock = client.asLock(LockRequest.of("42"));
            assertThatThrownBy(lock::tryLock).isInstanceOf(LockUnavailableException.class);
        }
    }
}
