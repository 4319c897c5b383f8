package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.testkit.server.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a start says about the locks, and what it needs. */
@ExtendWith(OutputCaptureExtension.class)
class StartTests {

    private static final String NOWHERE = "distributed-lock.redis.url=redis://127.0.0.1:1";

    @Test
    void oneLineSaysWhereLocksAreKept(CapturedOutput log) {
        Contexts.ours()
                .withPropertyValues(NOWHERE, "spring.application.name=shop", "distributed-lock.wait-time=3s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log)
                .contains(
                        "Distributed locks are kept in Redis at 127.0.0.1:1, key prefix 'lock:shop'; by default a lock"
                                + " has a ttl of 30s and is renewed, and a call waits 3s for it");
    }

    @Test
    void aStoreOfTheApplicationIsCalledSo(CapturedOutput log) {
        Contexts.ours()
                .withBean(LockStore.class, InMemoryLockStore::new)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).contains("Distributed locks are kept in a store of the application, key prefix 'lock'");
    }

    @Test
    void aRedisThatCannotBeReachedStopsTheStartOnlyIfTheApplicationWantsThat() {
        Contexts.ours()
                .withPropertyValues(NOWHERE)
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.ours()
                .withPropertyValues(NOWHERE, "distributed-lock.redis.fail-fast=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .satisfies(root -> assertThat(context.getStartupFailure())
                                .hasStackTraceContaining(LockConfigurationException.class.getName())
                                .hasStackTraceContaining("distributed-lock.redis.fail-fast is true")
                                .hasStackTraceContaining("127.0.0.1:1")));
    }

    @Test
    void aRedisThatCanBeReachedIsConnectedBeforeTheStartIsOver() {
        try (RedisServer redis = RedisServer.start()) {
            Contexts.ours()
                    .withPropertyValues(
                            "distributed-lock.redis.url=" + redis.uri(), "distributed-lock.redis.fail-fast=true")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        context.getBean(LockClient.class).acquire("42").release();
                    });
        }
    }
}
