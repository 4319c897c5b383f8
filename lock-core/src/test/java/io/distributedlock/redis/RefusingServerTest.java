package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * What a real server says to each of the scripts when it does not do its work, and that it then really has done
 * nothing.
 */
class RefusingServerTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Claim FREE = new Claim("free", "the-owner", LockMode.EXCLUSIVE, true);
    private static final Claim HELD = new Claim("held", "the-owner", LockMode.EXCLUSIVE, true);
    private static final String FREE_KEY = "lock:{free}";
    private static final String HELD_KEY = "lock:{held}";

    private final RedisServer server = RedisServer.start();
    private final LockStore store = RedisLockStore.of(RedisURI.create(server.uri()));
    private long token;

    @BeforeEach
    void holdOne() {
        await().ignoreExceptions()
                .until(() -> store.release(FREE).toCompletableFuture().join().settled());
        token = ((Granted) store.acquire(HELD, TTL, Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .token();
        assertThat(store.extend(HELD, token, TTL).toCompletableFuture().join()).isPositive();
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(RefusingState.class)
    void anAcquireIsRefusedAndNothingIsWritten(RefusingState state) {
        state.begin(server);
        assertRefused(state.name(), () -> store.acquire(FREE, TTL, Duration.ZERO));
        assertRefused(state.name(), () -> store.acquire(HELD, TTL, Duration.ZERO));
        assertThat(keysAfterwards(state)).doesNotContain(FREE_KEY);
    }

    @ParameterizedTest
    @EnumSource(value = RefusingState.class, mode = Mode.EXCLUDE, names = "OOM")
    void anExtensionAndAReleaseAreRefusedAndNothingIsChanged(RefusingState state) {
        state.begin(server);
        assertRefused(state.name(), () -> store.extend(HELD, token, Duration.ofHours(1)));
        assertRefused(state.name(), () -> store.release(HELD));
        assertRefused(state.name(), () -> store.release(new Claim(HELD.id(), "another-owner")));
        assertThat(keysAfterwards(state)).contains(HELD_KEY);
        assertThat((Long) server.command("PTTL", HELD_KEY)).isLessThanOrEqualTo(TTL.toMillis());
    }

    /** What the server has once it does its work again. */
    private List<Object> keysAfterwards(RefusingState state) {
        switch (state) {
            case BUSY -> {
                server.command("SCRIPT", "KILL");
                await().ignoreExceptions().until(() -> server.command("PING") != null);
            }
            case READONLY, MASTERDOWN -> server.command("REPLICAOF", "NO", "ONE");
            case NOPERM -> server.command("ACL", "SETUSER", "default", "allkeys");
            default -> {
                // Reading is not refused in these states.
            }
        }
        return List.copyOf((List<?>) server.command("KEYS", "*"));
    }

    @Test
    void aFullServerStillExtendsAndReleases() {
        RefusingState.OOM.begin(server);
        assertThat(store.extend(HELD, token, Duration.ofHours(1))
                        .toCompletableFuture()
                        .join())
                .isPositive();
        assertThat((Long) server.command("PTTL", HELD_KEY)).isGreaterThan(TTL.toMillis());
        assertThat(store.release(HELD).toCompletableFuture().join().held()).isTrue();
        assertThat(server.command("EXISTS", HELD_KEY)).isEqualTo(0L);
    }

    @Test
    void aFullServerStillExtendsALockWhoseCounterWasLost() {
        server.command("DEL", "lock:fence");
        RefusingState.OOM.begin(server);
        assertThat(store.extend(HELD, token, TTL).toCompletableFuture().join()).isPositive();
    }

    @Test
    void aKeyOfAnotherTypeIsRefusedToAnAcquireAndIsNoOwnersLock() {
        server.command("DEL", HELD_KEY);
        server.command("RPUSH", HELD_KEY, "element");
        assertRefused("WRONGTYPE", store.acquire(HELD, TTL, Duration.ZERO));
        assertThat(store.extend(HELD, token, TTL).toCompletableFuture().join()).isZero();
        assertThat(store.release(HELD).toCompletableFuture().join().held()).isFalse();
        assertThat(server.command("LLEN", HELD_KEY)).isEqualTo(1L);
    }

    @ParameterizedTest
    @CsvSource({"''", "soon", "nan", "inf", "9007199254740991", "1e300"})
    void aCounterThatHoldsNoTokenIsRefusedBeforeALockIsWritten(String value) {
        server.command("SET", "lock:fence", value);
        assertRefused("WRONGTYPE", store.acquire(FREE, TTL, Duration.ZERO));
        assertThat(server.command("EXISTS", FREE_KEY)).isEqualTo(0L);
        assertThat(server.command("GET", "lock:fence")).isEqualTo(value);
        assertThat(store.extend(HELD, token, TTL).toCompletableFuture().join()).isPositive();
    }

    @Test
    void aCounterOfAnotherTypeIsRefusedBeforeALockIsWritten() {
        server.command("DEL", "lock:fence");
        server.command("RPUSH", "lock:fence", "element");
        assertRefused("WRONGTYPE", store.acquire(FREE, TTL, Duration.ZERO));
        assertThat(server.command("EXISTS", FREE_KEY)).isEqualTo(0L);
        assertThat(store.extend(HELD, token, TTL).toCompletableFuture().join()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"set", "get", "time"})
    void anAcquireThatIsStoppedAtOneOfItsCommandsHasWrittenNothing(String command) {
        server.command("ACL", "SETUSER", "default", "-" + command);
        assertThat(failure(store.acquire(FREE, TTL, Duration.ZERO)).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(server.command("EXISTS", FREE_KEY)).isEqualTo(0L);
    }

    @Test
    void whoMayNotRunScriptsIsRefused() {
        server.command("ACL", "SETUSER", "default", "-eval", "-evalsha");
        assertRefused("NOPERM", store.acquire(FREE, TTL, Duration.ZERO));
        assertRefused("NOPERM", store.extend(HELD, token, TTL));
        assertRefused("NOPERM", store.release(HELD));
    }

    @ParameterizedTest
    @CsvSource({
        "getex, EXCLUSIVE",
        "pttl, EXCLUSIVE",
        "pexpire, EXCLUSIVE",
        "del, EXCLUSIVE",
        "zrange, SHARED",
        "zrem, SHARED"
    })
    void aUserWhoCouldNotRenewOrReleaseALockIsRefusedIt(String command, LockMode mode) {
        Claim claim = new Claim(FREE.id(), FREE.owner(), mode, true);
        server.command("ACL", "SETUSER", "default", "-" + command);
        try (LockStore fresh = RedisLockStore.of(RedisURI.create(server.uri()))) {
            assertRefused("+" + command + ";", () -> fresh.acquire(claim, TTL, Duration.ZERO));
            assertThat(server.command("EXISTS", FREE_KEY)).isEqualTo(0L);
            server.command("ACL", "SETUSER", "default", "+" + command);
            assertThat(fresh.acquire(claim, TTL, Duration.ZERO)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Granted.class);
            assertThat(server.command("EXISTS", FREE_KEY + ":unused")).isEqualTo(0L);
        }
    }

    @Test
    void aServerThatLacksACommandOfARenewalRefuses() {
        try (RedisServer without = RedisServer.start("--rename-command", "GETEX", "");
                LockStore unsupported = RedisLockStore.of(RedisURI.create(without.uri()))) {
            assertRefused("+getex;", () -> unsupported.acquire(FREE, TTL, Duration.ZERO));
            assertThat(without.command("EXISTS", FREE_KEY)).isEqualTo(0L);
        }
    }

    @Test
    void aServerThatKnowsNoScriptsRefuses() {
        try (RedisServer without = RedisServer.start("--rename-command", "EVALSHA", "");
                LockStore unsupported = RedisLockStore.of(RedisURI.create(without.uri()))) {
            await().until(() -> failure(unsupported.release(FREE)).effect() == Effect.REFUSED);
            assertRefused("unknown command", unsupported.acquire(FREE, TTL, Duration.ZERO));
        }
    }

    /** A refusal of a replica ends the connection, so the next command may find none for a moment. */
    private static void assertRefused(String word, Supplier<CompletionStage<?>> call) {
        await().untilAsserted(() -> assertRefused(word, call.get()));
    }

    private static void assertRefused(String word, CompletionStage<?> call) {
        StoreException failure = failure(call);
        assertThat(failure.effect()).isEqualTo(Effect.REFUSED);
        assertThat(failure).hasMessageContaining(word);
    }

    private static StoreException failure(CompletionStage<?> call) {
        @Nullable
        Throwable failure = call.handle((answer, thrown) -> thrown)
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        assertThat(failure).as("a failure instead of an answer").isNotNull();
        return (StoreException) (failure instanceof CompletionException ? failure.getCause() : failure);
    }
}
