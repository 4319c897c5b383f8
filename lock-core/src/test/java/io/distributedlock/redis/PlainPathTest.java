package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lock without a token costs the server, and when one is drawn. */
class PlainPathTest {

    private static final LockRequest PLAIN = LockRequest.of("orders", "42").withTtl(Duration.ofSeconds(25));

    private final RedisServer server = RedisServer.start();
    private final LockClient client = clientOf(server);

    private static LockClient clientOf(RedisServer server) {
        return LockClient.builder(PatientStore.of(server.uri()))
                .waitTime(Duration.ofSeconds(20))
                .build();
    }

    /** The first lock checks the rights of its user; the store's probe releases a lock at the end. */
    @BeforeEach
    void takeTheFirstLock() {
        client.connect(Duration.ofMinutes(2));
        await("the end of the probe").until(() -> server.calls("del") > 0);
        client.acquire("first").release();
        server.command("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aCycleIsTwoCommandsOfWhichNoneIsMoreThanAShortScript() {
        for (int i = 0; i < 10; i++) {
            client.acquire(PLAIN).release();
        }
        assertThat(server.calls("set")).isEqualTo(10);
        assertThat(server.calls("evalsha") + server.calls("delifeq") + server.calls("delex"))
                .isEqualTo(10);
        assertThat(List.of(server.calls("time"), server.calls("get"), server.calls("zadd"), server.calls("eval")))
                .containsOnly(0L);
    }

    @Test
    void theFirstQuestionForATokenDrawsItAndLaterOnesReturnIt() {
        LockHandle lock = client.acquire(PLAIN);
        assertThat(server.command("EXISTS", "lock:fence")).isEqualTo(0L);
        long token = lock.fencingToken();
        assertThat(token).isPositive();
        assertThat(lock.fencingToken()).isEqualTo(token);
        assertThat(lock.fencingTokenAsync().join()).isEqualTo(token);
        assertThat(server.calls("evalsha")).isEqualTo(1);
        lock.release();
        assertThat(lock.fencingToken()).isEqualTo(token);
        try (LockHandle next = client.acquire(PLAIN.withFencing())) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
    }

    @Test
    void aHolderThatHasReleasedOrLostItsLockDrawsNoToken() {
        LockHandle released = client.acquire(PLAIN);
        released.release();
        assertThatThrownBy(released::fencingToken).isInstanceOf(LockLostException.class);
        LockHandle lost = client.acquire(PLAIN);
        server.command("SET", "lock:{orders:42}", "another owner");
        assertThatThrownBy(lost::fencingToken).isInstanceOf(LockLostException.class);
        assertThat(lost.isHeld()).isFalse();
        assertThat(server.command("GET", "lock:{orders:42}")).isEqualTo("another owner");
        assertThat(server.command("EXISTS", "lock:fence")).isEqualTo(0L);
    }

    @Test
    void aWaiterIsHandedTheLockWithATokenIfItWantsOne() {
        try (LockClient other = clientOf(server)) {
            LockHandle holder = other.acquire(PLAIN);
            var plain = client.acquireAsync(PLAIN);
            awaitQueued(1);
            holder.release();
            LockHandle second = plain.join();
            assertThat(server.command("EXISTS", "lock:fence")).isEqualTo(0L);
            var fenced = other.acquireAsync(PLAIN.withFencing());
            awaitQueued(1);
            second.release();
            assertThat(server.command("EXISTS", "lock:fence")).isEqualTo(1L);
            assertThat(fenced.join().fencingToken()).isPositive();
            fenced.join().release();
        }
    }

    private void awaitQueued(long claims) {
        await().until(() -> server.command("ZCARD", "lock:{orders:42}:q").equals(claims));
    }
}
