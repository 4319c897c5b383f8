package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server knows the scripts before they are called, so that the calls of many clients that come back at once are
 * short.
 */
class LoadedScriptsTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int CLAIMS = 200;

    private final RedisServer server = RedisServer.start();
    private final CommandRelay commands = CommandRelay.to(server.port());
    private final RedisLockStore store = RedisLockStore.of(RedisURI.create(commands.uri()));

    private final AtomicInteger texts = new AtomicInteger();

    /** Those without a key try a subscription. */
    @BeforeEach
    void countTexts() {
        commands.answer(this::isText, "");
    }

    private boolean isText(List<String> words) {
        if (words.get(0).equals("EVAL") && !words.get(2).equals("0")) {
            texts.incrementAndGet();
        }
        return false;
    }

    @AfterEach
    void stop() {
        store.close();
        commands.close();
        server.close();
    }

    @Test
    void theyAreLoadedWhenAConnectionIsOpenedThatIsNotUsedYet() {
        done(store.ready());
        awaitLoaded();
        done(store.acquire(new Claim("42", "owner"), TTL, Duration.ZERO));
        done(store.release(new Claim("42", "owner")));
        assertThat(texts).hasValue(0);
    }

    @Test
    void noCallSendsATextToAServerThatHasForgottenThemTogetherWithItsConnections() {
        done(store.ready());
        awaitLoaded();
        done(store.acquire(new Claim("42", "owner"), TTL, Duration.ZERO));
        CompletableFuture<Void> back = new CompletableFuture<>();
        server.command("SCRIPT", "FLUSH");
        store.onReachable(() -> back.complete(null));
        commands.relay().cut(Cut.RST);
        done(back);
        List<CompletionStage<?>> calls = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            calls.add(store.acquire(new Claim("42", "waiter" + i), TTL, TTL));
        }
        calls.forEach(LoadedScriptsTest::done);
        done(store.release(new Claim("42", "owner")));
        assertThat(texts).hasValue(0);
    }

    @Test
    void whereTheyMayNotBeLoadedTheFirstCallsSendThem() {
        server.command("ACL", "SETUSER", "default", "-script");
        done(store.ready());
        done(store.acquire(new Claim("42", "owner"), TTL, Duration.ZERO));
        done(store.release(new Claim("42", "owner")));
        assertThat(texts).hasValueGreaterThanOrEqualTo(2);
    }

    private void awaitLoaded() {
        await().until(() -> String.valueOf(server.command("INFO", "memory")).contains("number_of_cached_scripts:11"));
    }

    private static <T> T done(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
