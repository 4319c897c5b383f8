package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.test.store.SharedQueueContract;
import io.distributedlock.testkit.relay.CommandRelay;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract where the server has a native command that compares and deletes. A relay gives one to a server that has
 * none.
 */
class NativeDeleteTest extends SharedQueueContract {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Claim HOLDER = new Claim("42", "holder");
    private static final Claim WAITER = new Claim("42", "waiter");
    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final String UNKNOWN = "_\r\n";

    private static RedisServer server;
    private static CommandRelay commands;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        commands = CommandRelay.to(server.port());
        know("DELIFEQ");
        store = RedisLockStore.of(RedisURI.create(commands.uri()));
    }

    private static void know(String command) {
        commands.clearAnswers();
        String description = "*2\r\n$" + command.length() + "\r\n" + command.toLowerCase(Locale.ROOT) + "\r\n:3\r\n";
        commands.answer(
                words -> words.get(0).equals("COMMAND"),
                "*2\r\n" + (command.equals("DELEX") ? UNKNOWN + description : description + UNKNOWN));
        commands.answer(words -> words.get(0).equals(command) && isDeleted(words), ":1\r\n");
        commands.answer(words -> words.get(0).equals(command), ":0\r\n");
    }

    private static boolean isDeleted(List<String> words) {
        String value = words.get(words.size() - 1);
        return Long.valueOf(1).equals(server.command("EVAL", COMPARE_AND_DELETE, "1", words.get(1), value));
    }

    @BeforeEach
    void awaitTheCommand() {
        know("DELIFEQ");
        reconnect();
        awaitUseOf("DELIFEQ");
    }

    private static void reconnect() {
        now(store.ready());
        commands.relay().cut(Cut.RST);
    }

    private static void awaitUseOf(String command) {
        long before = commands.count(command);
        await().ignoreExceptions().until(() -> {
            cycle();
            return commands.count(command) > before;
        });
    }

    private static Release cycle() {
        Claim claim = new Claim("warm-up", String.valueOf(System.nanoTime()));
        now(store.acquire(claim, TTL, Duration.ZERO));
        return now(store.release(claim));
    }

    @AfterAll
    static void stop() {
        store.close();
        commands.close();
        server.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected Duration patienceMargin() {
        return QueueMargin.OF_REDIS;
    }

    /** Besides, the client may still be trying the server, by scripts of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"DELIFEQ", "DELEX", "CAD"})
    void aLockWithoutContentionIsTakenAndReleasedByTwoCommandsAndNoScript(String command) {
        know(command);
        reconnect();
        awaitUseOf(command);
        await().untilAsserted(() -> {
            long taken = commands.count("SET");
            long deleted = commands.count(command);
            long scripts = commands.count("EVALSHA") + commands.count("EVAL");
            assertThat(cycle().held()).isTrue();
            assertThat(commands.count("EVALSHA") + commands.count("EVAL")).isEqualTo(scripts);
            assertThat(commands.count("SET")).isEqualTo(taken + 1);
            assertThat(commands.count(command)).isEqualTo(deleted + 1);
        });
    }

    @Test
    void aLockThatAClaimIsQueuedForIsGrantedToIt() {
        now(store.acquire(HOLDER, TTL, Duration.ZERO));
        Refused refused = (Refused) now(store.acquire(WAITER, TTL, TTL));
        assertThat(refused.queued()).isTrue();
        assertThat(now(store.release(HOLDER)).held()).isTrue();
        assertThat(now(refused.grantNotification())).isPresent();
        assertThat(now(store.extend(WAITER, 0, TTL))).isPositive();
        assertThat(now(store.release(WAITER)).held()).isTrue();
        assertThat(server.command("EXISTS", "lock:{42}")).isEqualTo(0L);
    }

    @Test
    void aRepeatedReleaseLeavesTheLockOfTheNextOwnerAlone() {
        now(store.acquire(HOLDER, TTL, Duration.ZERO));
        now(store.release(HOLDER));
        now(store.acquire(WAITER, TTL, Duration.ZERO));
        assertThat(now(store.release(HOLDER)).held()).isFalse();
        assertThat(now(store.extend(WAITER, 0, TTL))).isPositive();
        now(store.release(WAITER));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-ERR unknown command 'DELIFEQ'\r\n",
                "-ERR syntax error\r\n",
                "-NOPERM this user has no permissions to run the 'delifeq' command\r\n"
            })
    void aServerThatRefusesTheCommandIsSentTheScriptUntilTheNextConnection(String refusal) {
        commands.clearAnswers();
        commands.answer(words -> words.get(0).equals("DELIFEQ"), refusal);
        assertThat(cycle().held()).isTrue();
        long refused = commands.count("DELIFEQ");
        assertThat(cycle().held()).isTrue();
        assertThat(commands.count("DELIFEQ")).isEqualTo(refused);
    }

    @Test
    void theCommandOfRedisIsUsedWhereTheServerHasThatOne() {
        know("DELEX");
        reconnect();
        awaitUseOf("DELEX");
        assertThat(cycle().held()).isTrue();
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @ParameterizedTest
    @ValueSource(strings = {":2\r\n", "+OK\r\n", "_\r\n"})
    void aServerWhoseAnswerToTheCommandMakesNoSenseIsSentTheScriptFromThenOn(String answer) {
        commands.clearAnswers();
        commands.answer(words -> words.get(0).equals("DELIFEQ"), answer);
        now(store.acquire(HOLDER, TTL, Duration.ZERO));
        assertThat(store.release(HOLDER).toCompletableFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class);
        assertThat(now(store.release(HOLDER)).held()).isTrue();
    }
}
