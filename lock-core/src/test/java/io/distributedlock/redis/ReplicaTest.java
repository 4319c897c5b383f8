package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica may have old data, so it must not answer anything, least of all "not held". */
class ReplicaTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Claim HELD = new Claim("held", "owner");

    private final RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
    private final RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", String.valueOf(master.port()));
    private final RedisLockStore onMaster = RedisLockStore.of(RedisURI.create(master.uri()));
    private final RedisLockStore onReplica = RedisLockStore.of(RedisURI.create(replica.uri()));

    @BeforeEach
    void replicate() {
        onMaster.ready().toCompletableFuture().join();
        onMaster.acquire(HELD, TTL, Duration.ZERO).toCompletableFuture().join();
        await().until(() -> replica.command("GET", "lock:{held}") != null);
        onReplica.ready().toCompletableFuture().join();
    }

    @AfterEach
    void stop() {
        onMaster.close();
        onReplica.close();
        replica.close();
        master.close();
    }

    @Test
    void itRefusesToReleaseWhateverItHasGot() {
        assertRefused(() -> onReplica.release(HELD));
        assertRefused(() -> onReplica.release(new Claim("held", "another owner")));
        assertRefused(() -> onReplica.release(new Claim("not there", "owner")));
    }

    @Test
    void itRefusesToExtendWhateverItHasGot() {
        assertRefused(() -> onReplica.extend(HELD, 1, TTL));
        assertRefused(() -> onReplica.extend(new Claim("held", "another owner"), 1, TTL));
        assertRefused(() -> onReplica.extend(new Claim("not there", "owner"), 1, TTL));
    }

    @Test
    void itRefusesToAcquireEvenAHeldLock() {
        assertRefused(() -> onReplica.acquire(HELD, TTL, Duration.ZERO));
        assertRefused(() -> onReplica.acquire(new Claim("held", "another owner"), TTL, Duration.ZERO));
        assertRefused(() -> onReplica.acquire(new Claim("not there", "owner"), TTL, Duration.ZERO));
    }

    /** A replica's refusal ends the connection, so the next command may find none for a moment. */
    private static void assertRefused(Supplier<CompletionStage<?>> call) {
        await().untilAsserted(() -> {
            Throwable failure =
                    catchThrowable(() -> call.get().toCompletableFuture().join());
            assertThat(failure).hasCauseInstanceOf(StoreException.class).hasMessageContaining("READONLY");
            assertThat(((StoreException) failure.getCause()).effect()).isEqualTo(Effect.REFUSED);
        });
    }
}
