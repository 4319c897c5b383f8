package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.DialectRelay;
import io.distributedlock.testkit.relay.DialectRelay.Dialect;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.relay.RelayConnection;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lost replies, late commands and other clients, where scripts are refused. */
class ScriptlessLockStoreTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final Claim HOLDER = new Claim("42", "holder");
    private static final Claim OTHER = new Claim("42", "other");
    private static final String KEY = "lock:{42}";

    private final RedisServer server = RedisServer.start();
    private final DialectRelay dialect = new DialectRelay(server, Dialect.AS_REDIS_8_4);
    private final Relay relay = Relay.to(dialect.commands().port());
    private final ScriptlessLockStore store = scriptless(relay.uri());

    @BeforeEach
    void connect() {
        now(store.ready());
    }

    @AfterEach
    void stop() {
        store.close();
        relay.close();
        dialect.close();
        server.close();
    }

    private static ScriptlessLockStore scriptless(String uri) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), Duration.ofSeconds(1));
        return new ScriptlessLockStore(
                connections, new LockKeys("lock:", connections::isSharded), new RefusedCommands(System::nanoTime));
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static StoreException failureOf(CompletionStage<?> call) {
        try {
            now(call);
        } catch (CompletionException failed) {
            return (StoreException) failed.getCause();
        }
        throw new AssertionError("there is an answer");
    }

    private AcquireResult acquire(Claim claim) {
        return now(store.acquire(claim, TTL, Duration.ZERO));
    }

    private long pttl() {
        return (Long) server.command("PTTL", KEY);
    }

    private Object value() {
        return server.command("GET", KEY);
    }

    private static Predicate<String> begins(String command) {
        return request -> request.startsWith(command + " " + KEY + " ");
    }

    /** The server executes the call, but its reply is lost together with the connection. */
    private <T> StoreException withLostReply(String command, CompletionStageSupplier<T> call) {
        CompletableFuture<RelayConnection> held = relay.holdWhen(Direction.REPLIES, begins(command));
        CompletionStage<T> unanswered = call.get();
        held.orTimeout(30, TimeUnit.SECONDS).join();
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        StoreException failure = failureOf(unanswered);
        await().until(() -> isReady());
        return failure;
    }

    private interface CompletionStageSupplier<T> {
        CompletionStage<T> get();
    }

    private boolean isReady() {
        try {
            now(store.extend(new Claim("unused", "nobody"), 0, SHORT));
            return true;
        } catch (CompletionException notYet) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Dialect.class,
            names = {"AS_REDIS_8_4", "AS_VALKEY_9", "AS_TAIR"})
    void anUncontendedCycleIsTwoCommands(Dialect each) {
        dialect.speak(each);
        relay.cut(Cut.RST);
        await().until(this::isReady);
        acquire(HOLDER);
        now(store.release(HOLDER));
        long before = dialect.commands().count();
        acquire(HOLDER);
        assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.RELEASED);
        assertThat(dialect.commands().count()).isEqualTo(before + 2);
    }

    @Test
    void aRepeatedTryWhoseFirstReplyWasLostFindsItsOwnLock() {
        StoreException failure = withLostReply("SET", () -> store.acquire(HOLDER, TTL, Duration.ZERO));
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(acquire(HOLDER)).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.fresh()).isFalse();
            assertThat(granted.remaining()).isPositive().isLessThanOrEqualTo(TTL);
        });
        assertThat(acquire(OTHER)).isInstanceOf(Refused.class);
    }

    @Test
    void aRepeatedReleaseWhoseFirstReplyWasLostFindsNoLock() {
        acquire(HOLDER);
        assertThat(withLostReply("DELEX", () -> store.release(HOLDER)).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.ABSENT);
    }

    @Test
    void aRepeatedReleaseWhoseFirstReplyWasLostLeavesTheLockOfTheNextOwnerAlone() {
        acquire(HOLDER);
        withLostReply("DELEX", () -> store.release(HOLDER));
        assertThat(acquire(OTHER)).isInstanceOf(Granted.class);
        assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.NOT_OWNER);
        assertThat(value()).isEqualTo(OTHER.owner());
    }

    @Test
    void aRepeatedExtensionWhoseFirstReplyWasLostIsAnsweredWithTheWholeTime() {
        now(store.acquire(HOLDER, SHORT, Duration.ZERO));
        assertThat(withLostReply("SET", () -> store.extend(HOLDER, 0, TTL)).effect())
                .isEqualTo(Effect.UNKNOWN);
        assertThat(now(store.extend(HOLDER, 0, TTL))).isGreaterThan(SHORT);
        assertThat(pttl()).isGreaterThan(SHORT.toMillis());
    }

    @Test
    void anOwnerWhoseLeaseHasExpiredNeitherExtendsNorReleasesTheLockOfTheNextOne() {
        now(store.acquire(HOLDER, Duration.ofMillis(20), Duration.ZERO));
        await().until(() -> acquire(OTHER) instanceof Granted);
        assertThat(now(store.extend(HOLDER, 0, Duration.ofMinutes(10)))).isZero();
        assertThat(now(store.releaseAfter(HOLDER, Duration.ofMillis(1)))).isFalse();
        assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.NOT_OWNER);
        assertThat(value()).isEqualTo(OTHER.owner());
        assertThat(pttl()).isBetween(1L, TTL.toMillis());
    }

    @Test
    void aServerThatCameBackEmptyHasNoLockToExtend() {
        acquire(HOLDER);
        server.restart();
        await().until(this::isReady);
        assertThat(now(store.extend(HOLDER, 0, TTL))).isZero();
        assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
    }

    @Test
    void aLongerExtensionIsNotCutShortByAShorterOneThatIsAskedForMeanwhile() {
        now(store.acquire(HOLDER, SHORT, Duration.ZERO));
        CompletionStage<Duration> longer = store.extend(HOLDER, 0, TTL.multipliedBy(2));
        CompletionStage<Duration> shorter = store.extend(HOLDER, 0, TTL);
        assertThat(now(longer)).isGreaterThan(TTL);
        assertThat(now(shorter)).isGreaterThan(TTL);
        assertThat(pttl()).isGreaterThan(TTL.toMillis());
    }

    @Test
    void aKeptLockIsNotExtendedByAnExtensionThatWasOnItsWay() {
        acquire(HOLDER);
        CompletionStage<Duration> extension = store.extend(HOLDER, 0, TTL.multipliedBy(2));
        assertThat(now(store.releaseAfter(HOLDER, SHORT))).isTrue();
        assertThat(now(extension)).isPositive();
        assertThat(pttl()).isBetween(1L, SHORT.toMillis());
    }

    /** The server may not be asked to drop the connection that has ended, as behind a proxy. */
    @Test
    void anExtensionPromisesNoMoreThanIsLeftIfAnEarlierShorterOneIsExecutedLate() {
        dialect.commands().answer(words -> words.contains("KILL"), "-ERR unknown command 'CLIENT'\r\n");
        now(store.acquire(HOLDER, SHORT.dividedBy(2), Duration.ZERO));
        RelayConnection old = relay.connections().get(0);
        CompletableFuture<RelayConnection> held = old.holdWhen(Direction.REQUESTS, begins("SET"));
        CompletionStage<Duration> lost = store.extend(HOLDER, 0, SHORT);
        held.orTimeout(30, TimeUnit.SECONDS).join();
        old.cutClientSide(Cut.RST);
        assertThat(failureOf(lost).effect()).isEqualTo(Effect.UNKNOWN);
        await().until(this::isReady);
        server.command("SET", KEY, HOLDER.owner(), "PX", "5000");
        Duration promised = now(store.extend(HOLDER, 0, TTL));
        assertThat(pttl()).isGreaterThan(SHORT.toMillis());
        old.deliver(Direction.REQUESTS);
        await().until(() -> pttl() <= SHORT.toMillis());
        assertThat(promised).isPositive().isLessThanOrEqualTo(SHORT);
    }

    @Test
    void howeverManyExtensionsWaitForEachOtherAllEndWithTheirConnection() {
        acquire(HOLDER);
        relay.hold(Direction.REPLIES);
        List<CompletableFuture<Throwable>> ends = Stream.generate(() -> store.extend(HOLDER, 0, TTL)
                        .handle((left, failure) -> failure)
                        .toCompletableFuture())
                .limit(1_000)
                .toList();
        relay.refuse(true);
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        assertThat(ends).allSatisfy(end -> assertThat(now(end)).isNotNull());
        relay.refuse(false);
        await().until(this::isReady);
        assertThat(now(store.extend(HOLDER, 0, TTL))).isEqualTo(TTL);
    }

    @Test
    void aLockThatAClientWithScriptsQueuesForIsExtendedAndReleased() {
        try (RedisLockStore scripted = RedisLockStore.of(RedisURI.create(server.uri()))) {
            now(store.acquire(HOLDER, SHORT, Duration.ZERO));
            await().ignoreExceptions()
                    .until(() -> now(scripted.acquire(OTHER, TTL, TTL)) instanceof Refused refused && refused.queued());
            assertThat(value()).isEqualTo("holder!");
            assertThat(now(store.extend(HOLDER, 0, TTL))).isEqualTo(TTL);
            assertThat(acquire(HOLDER)).isInstanceOf(Granted.class);
            assertThat(value()).isEqualTo("holder!");
            assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.RELEASED);
            assertThat(now(scripted.acquire(OTHER, TTL, TTL))).isInstanceOf(Granted.class);
            assertThat(acquire(HOLDER)).isInstanceOf(Refused.class);
            assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.NOT_OWNER);
            assertThat(now(scripted.release(OTHER)).outcome()).isEqualTo(Outcome.RELEASED);
        }
    }

    @Test
    void nothingIsTakenWhereItCouldNotBeReleased() {
        dialect.speak(Dialect.OLD);
        relay.cut(Cut.RST);
        await().untilAsserted(
                        () -> assertThat(failureOf(store.ready()).isDenied()).isTrue());
        StoreException failure = failureOf(store.acquire(HOLDER, TTL, Duration.ZERO));
        assertThat(failure.isDenied()).isTrue();
        assertThat(failure)
                .hasMessageContainingAll("DELIFEQ", "Valkey 9.0", "DELEX", "Redis 8.4", "CAD", "Tair", "+eval")
                .hasMessageContaining("ERR unknown command");
        assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
    }

    @Test
    void aLockIsReleasedByTheCommandsOfTheServerThatItsConnectionLeadsToNow() {
        acquire(HOLDER);
        dialect.speak(Dialect.AS_TAIR);
        await().ignoreExceptions().until(() -> now(store.release(HOLDER)).held());
        assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
    }

    @Test
    void whatTakesScriptsIsRefusedWithTheRemedy() {
        assertThat(failureOf(store.acquire(new Claim("42", "reader", LockMode.SHARED), TTL, Duration.ZERO)))
                .hasMessageContainingAll("shared", "exclusively", "+eval");
        assertThat(failureOf(store.acquire(new Claim("42", "fenced", LockMode.EXCLUSIVE, true), TTL, Duration.ZERO)))
                .hasMessageContainingAll("fencing token", "withFencing()", "+eval");
        acquire(HOLDER);
        assertThat(failureOf(store.drawToken(HOLDER)).isDenied()).isTrue();
        assertThat(store.limits().modes()).containsExactly(LockMode.EXCLUSIVE);
    }

    @Test
    void aKeyOfAnotherTypeIsHeldByNoOwner() {
        server.command("HSET", KEY, "a", "b");
        assertThat(now(store.extend(HOLDER, 0, TTL))).isZero();
        assertThat(now(store.release(HOLDER)).outcome()).isEqualTo(Outcome.NOT_OWNER);
        assertThat(failureOf(store.acquire(HOLDER, TTL, Duration.ZERO)).effect())
                .isEqualTo(Effect.REFUSED);
    }
}
