package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.test.store.SharedLockContract;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The contract behind a proxy that reads the texts of scripts and accepts none that sends messages, nor one that has
 * many locks, nor one without keys.
 */
class StrictProxyTest extends LockStoreContract implements SharedLockContract {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration LONGER = Duration.ofMinutes(5);
    private static final Pattern FORBIDDEN = Pattern.compile("PUBSUB|PUBLISH|unpack|KEYS\\[[^]]*[^]\\d]");
    private static final String REFUSAL = "-ERR bad lua script for redis cluster, all the keys that the script uses"
            + " should be passed using the KEYS array, and KEYS should not be in expression\r\n";

    private static RedisServer server;
    private static CommandRelay proxy;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        proxy = CommandRelay.to(server.port());
        beStrict();
        store = RedisLockStore.of(RedisURI.create(proxy.uri()));
        await().ignoreExceptions().until(() -> cycle("warm-up", LockMode.EXCLUSIVE));
    }

    private static void beStrict() {
        proxy.answer(StrictProxyTest::isForbidden, REFUSAL);
    }

    private static boolean isForbidden(List<String> words) {
        boolean text = words.get(0).equals("EVAL")
                || (words.get(0).equals("SCRIPT") && words.get(1).equals("LOAD"));
        return text
                && (FORBIDDEN
                                .matcher(words.get(words.get(0).equals("EVAL") ? 1 : 2))
                                .find()
                        || (words.get(0).equals("EVAL") && words.get(2).equals("0")));
    }

    @AfterEach
    void staysStrict() {
        proxy.clearAnswers();
        beStrict();
    }

    @AfterAll
    static void stop() {
        store.close();
        proxy.close();
        server.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    private static boolean cycle(String id, LockMode mode) {
        Claim claim = new Claim(id, "owner-" + System.nanoTime(), mode, false);
        return now(store.acquire(claim, TTL, Duration.ZERO)) instanceof Granted
                && now(store.extend(claim, 0, LONGER)).equals(LONGER)
                && now(store.release(claim)).held();
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void manyLocksAreExtendedEachByItself() {
        List<Claim> claims = IntStream.range(0, 30)
                .mapToObj(i -> new Claim("many-" + i, "owner"))
                .toList();
        claims.forEach(claim -> now(store.acquire(claim, TTL, Duration.ZERO)));
        server.command("SET", "lock:{many-7}", "another");
        Set<Integer> held = ConcurrentHashMap.newKeySet();
        Set<Integer> ended = ConcurrentHashMap.newKeySet();
        PreparedBatchExtension prepared = store.prepareExtension(claims, 0, LONGER);
        prepared.extend((place, left, failure) -> {
            ended.add(place);
            if (LONGER.equals(left)) {
                held.add(place);
            }
        });
        await().until(() -> ended.size() == 30);
        assertThat(held).hasSize(29).doesNotContain(7);
        claims.forEach(claim -> now(store.release(claim)));
    }

    @Test
    void aWaiterIsNotQueued() {
        Claim holder = new Claim("42", "holder");
        now(store.acquire(holder, TTL, Duration.ZERO));
        assertThat(now(store.acquire(new Claim("42", "waiter"), TTL, Duration.ofMinutes(1))))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.queued()).isFalse());
        assertThat(now(store.release(holder)).held()).isTrue();
    }

    @Test
    void whatWasRefusedIsNotSentAgainOnTheSameConnection() {
        for (int i = 0; i < 3; i++) {
            cycle("twice", LockMode.SHARED);
            cycle("twice", LockMode.EXCLUSIVE);
        }
        long texts = proxy.count("EVAL");
        cycle("twice", LockMode.SHARED);
        cycle("twice", LockMode.EXCLUSIVE);
        assertThat(proxy.count("EVAL")).isEqualTo(texts);
    }

    @Test
    void aLockThatWasTakenBeforeTheProxyBecameStrictIsExtendedAndReleased() {
        proxy.clearAnswers();
        server.command("SCRIPT", "FLUSH");
        proxy.relay().cut(Cut.RST);
        await().ignoreExceptions().until(() -> cycle("before", LockMode.EXCLUSIVE));
        for (LockMode mode : LockMode.values()) {
            Claim claim = new Claim("before", "owner-" + mode, mode, false);
            now(store.acquire(claim, TTL, Duration.ZERO));
            server.command("SCRIPT", "FLUSH");
            beStrict();
            assertThat(now(store.extend(claim, 0, LONGER))).isEqualTo(LONGER);
            assertThat(now(store.release(claim)).held()).as(mode.name()).isTrue();
            proxy.clearAnswers();
        }
        assertThat(server.command("EXISTS", "lock:{before}")).isEqualTo(0L);
    }
}
