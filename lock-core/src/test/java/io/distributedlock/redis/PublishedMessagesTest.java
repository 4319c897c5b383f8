package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.redis.script.Sha1;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every user of a Redis 6.2 may read and write the messages of every channel. */
class PublishedMessagesTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final RedisServer server = RedisServer.start();
    private final RedisLockStore store = RedisLockStore.of(RedisURI.create(server.uri()));
    private final Claim holder = claim();
    private final Claim waiter = claim();
    private final Claim reader = new Claim(waiter.id(), UUID.randomUUID().toString(), LockMode.SHARED);

    private static Claim claim() {
        return new Claim("a-customer", UUID.randomUUID().toString());
    }

    @BeforeEach
    void hold() {
        await().ignoreExceptions().until(() -> queued(claim()));
        server.command("DEL", "lock:{a-customer}:q", "lock:{a-customer}");
        assertThat(now(store.acquire(holder, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
    }

    @AfterEach
    void stop() {
        store.close();
        server.close();
    }

    /** Its messages arrive a moment later than its connection is there. */
    private boolean queued(Claim probe) {
        server.command("SET", "lock:{a-customer}", "another owner", "PX", "60000");
        return now(store.acquire(probe, TTL, PATIENCE)) instanceof Refused refused && refused.queued();
    }

    private CompletionStage<Optional<Granted>> waitFor(Claim claim) {
        Refused refused = (Refused) now(store.acquire(claim, TTL, PATIENCE));
        assertThat(refused.queued()).isTrue();
        return refused.grantNotification();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Test
    void noMessageContainsALockOrAnOwner() {
        try (RespClient spy = RespClient.connect(server.port())) {
            spy.command("PSUBSCRIBE", "*");
            CompletionStage<Optional<Granted>> first = waitFor(waiter);
            CompletionStage<Optional<Granted>> second = waitFor(reader);
            now(store.release(holder));
            assertThat(now(first)).isPresent();
            now(store.release(waiter));
            assertThat(now(second)).isPresent();
            now(store.forceRelease(reader));
            for (int message = 0; message < 3; message++) {
                assertThat(String.valueOf(spy.receive()))
                        .contains("pmessage")
                        .doesNotContain("a-customer", holder.owner(), waiter.owner(), reader.owner());
            }
        }
    }

    @Test
    void aForgedMessageMakesNoHolder() {
        CompletionStage<Optional<Granted>> news = waitFor(waiter);
        List<?> queue = (List<?>) server.command("ZRANGE", "lock:{a-customer}:q", "0", "-1");
        String[] member = String.valueOf(queue.get(0)).split(" ");
        String numbers = member[3] + " 9007199254740990 9007199254740990 ";
        for (String forged : List.of(numbers, numbers + "0", numbers + Sha1.sha1(numbers))) {
            assertThat(server.command("PUBLISH", member[2], forged)).isEqualTo(1L);
        }
        assertThat(now(store.release(holder)).held()).isTrue();
        assertThat(now(news).orElseThrow().token()).isLessThan(9_007_199_254_740_990L);
        assertThat(server.command("GET", "lock:{a-customer}")).isEqualTo(waiter.owner() + "!");
    }
}
