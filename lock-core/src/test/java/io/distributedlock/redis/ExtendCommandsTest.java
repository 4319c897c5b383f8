package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many leases are extended at once on a real server: few scripts, and for each caller the answer about its own lock.
 */
@Timeout(120)
class ExtendCommandsTest {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration LONGER = Duration.ofMinutes(5);
    private static final int LOCKS = 1_000;

    private final RedisServer server = RedisServer.start();
    private final Relay relay = Relay.to(server.port());
    private final RedisLockStore store = new RedisLockStore(
            new RedisLockConnection(RedisClientSource.of(RedisURI.create(relay.uri())), Duration.ofSeconds(20)),
            "lock");
    private long token;

    @BeforeEach
    void holdThemAll() {
        await().ignoreExceptions()
                .until(() ->
                        !store.release(claim(0)).toCompletableFuture().join().held());
        List<CompletableFuture<?>> grants = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            grants.add(store.acquire(claim(i), TTL, Duration.ZERO).toCompletableFuture());
        }
        grants.forEach(CompletableFuture::join);
        token = ((Granted) grants.get(LOCKS - 1).join()).token();
        extend(0).join();
        await("the end of the store's probe").until(() -> server.calls("del") > 0);
    }

    @AfterEach
    void close() {
        server.resume();
        store.close();
        relay.close();
        server.close();
    }

    @Test
    void manyShareAScriptAndAllAreExtended() {
        long scripts = server.calls("evalsha");
        List<CompletableFuture<Duration>> answers = whileTheServerStands(this::extendAll);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isPositive());
        assertThat(server.calls("evalsha") - scripts).isEqualTo(LOCKS / ExtendScriptCall.MAX_TOGETHER);
        for (int i = 0; i < LOCKS; i++) {
            assertThat((Long) server.command("PTTL", key(i))).isGreaterThan(TTL.toMillis());
        }
    }

    @Test
    void eachCallerGetsTheAnswerAboutItsOwnLock() {
        server.command("DEL", key(10));
        server.command("SET", key(20), "another owner");
        server.command("DEL", key(30));
        server.command("RPUSH", key(30), "element");
        List<CompletableFuture<Duration>> answers = whileTheServerStands(this::extendAll);
        for (int i = 0; i < LOCKS; i++) {
            assertThat(answers.get(i).join())
                    .as("lock " + i)
                    .isEqualTo(List.of(10, 20, 30).contains(i) ? Duration.ZERO : LONGER);
        }
        assertThat(server.command("EXISTS", key(10))).isEqualTo(0L);
        assertThat(server.command("GET", key(20))).isEqualTo("another owner");
    }

    @Test
    void theCounterIsRaisedToTheHighestTokenOfThoseThatAreHeld() {
        long ahead = token + TimeUnit.DAYS.toMicros(1);
        List<CompletableFuture<Duration>> answers = whileTheServerStands(() -> List.of(
                store.extend(claim(1), ahead - 2, LONGER).toCompletableFuture(),
                store.extend(claim(2), ahead, LONGER).toCompletableFuture(),
                store.extend(claim(3), ahead - 1, LONGER).toCompletableFuture(),
                store.extend(new Claim("lock-4", "not the owner"), ahead + 1, LONGER)
                        .toCompletableFuture()));
        assertThat(answers.stream().map(CompletableFuture::join))
                .containsExactly(LONGER, LONGER, LONGER, Duration.ZERO);
        assertThat(server.command("GET", "lock:fence")).isEqualTo(String.valueOf(ahead));
    }

    @Test
    void aServerThatForgotTheScriptIsSentItAgain() {
        server.command("SCRIPT", "FLUSH");
        assertThat(whileTheServerStands(this::extendAll))
                .allSatisfy(answer -> assertThat(answer.join()).isPositive());
    }

    @Test
    void whatTheServerDoesToAScriptHappensToEachOfItsLocks() {
        server.command("ACL", "SETUSER", "default", "-evalsha");
        assertThat(whileTheServerStands(this::extendAll))
                .allSatisfy(answer -> assertThat(failure(answer).effect()).isEqualTo(Effect.REFUSED));
    }

    /**
     * Its text does not say after which of its commands the script was stopped, so it is no refusal; as it is if a lock
     * is extended alone.
     */
    @Test
    void anErrorThatIsUnclearForOneLockIsUnclearForEachOfMany() {
        server.command("ACL", "SETUSER", "default", "-pexpire");
        assertThat(whileTheServerStands(this::extendAll))
                .allSatisfy(answer -> assertThat(failure(answer).effect()).isEqualTo(Effect.UNKNOWN));
        assertThat((Long) server.command("PTTL", key(1))).isLessThanOrEqualTo(TTL.toMillis());
    }

    @Test
    void theEndOfAConnectionLeavesNoCallerWithoutAnAnswer() {
        long executed = server.calls("getex");
        relay.hold(Direction.REPLIES);
        List<CompletableFuture<Duration>> answers = extendAll();
        await().until(() -> server.calls("getex") > executed + 1);
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        List<Optional<Effect>> effects = answers.stream()
                .map(answer -> answer.handle((held, thrown) -> thrown == null
                                ? Optional.<Effect>empty()
                                : Optional.of(((StoreException) thrown).effect()))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join())
                .toList();
        assertThat(effects).contains(Optional.of(Effect.UNKNOWN)).doesNotContain(Optional.of(Effect.REFUSED));
        await().ignoreExceptions().until(() -> extend(0).join().equals(LONGER));
    }

    @Test
    void theEndOfTheStoreLeavesNoCallerWithoutAnAnswer() {
        List<CompletableFuture<Duration>> answers = extendAll();
        store.close();
        assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                        .handle((done, failure) -> true))
                .succeedsWithin(Duration.ofSeconds(60));
    }

    @Test
    void anAcquireDoesNotWaitForManyRenewalsThatWereAskedForBeforeIt() {
        List<CompletableFuture<Duration>> renewals = new ArrayList<>();
        CompletableFuture<Long> renewedBeforeTheGrant = whileTheServerStands(() -> {
            for (int round = 0; round < 5; round++) {
                renewals.addAll(extendAll());
            }
            return store.acquire(new Claim("another", "owner"), TTL, Duration.ZERO)
                    .toCompletableFuture()
                    .thenApply(grant ->
                            renewals.stream().filter(CompletableFuture::isDone).count());
        });
        assertThat(renewedBeforeTheGrant.join())
                .isLessThanOrEqualTo((long) InFlightLimit.MAX_UNANSWERED * ExtendScriptCall.MAX_TOGETHER);
        renewals.forEach(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(60)));
    }

    private <T> T whileTheServerStands(Supplier<T> calls) {
        server.pause();
        try {
            return calls.get();
        } finally {
            server.resume();
        }
    }

    private List<CompletableFuture<Duration>> extendAll() {
        List<Claim> claims = IntStream.range(0, LOCKS).mapToObj(i -> claim(i)).toList();
        List<CompletableFuture<Duration>> answers =
                Stream.generate(CompletableFuture<Duration>::new).limit(LOCKS).toList();
        store.prepareExtension(claims, token, LONGER).extend((place, left, failure) -> {
            if (failure == null) {
                answers.get(place).complete(left);
            } else {
                answers.get(place).completeExceptionally(failure);
            }
        });
        return answers;
    }

    private CompletableFuture<Duration> extend(int number) {
        return store.extend(claim(number), token, LONGER).toCompletableFuture();
    }

    private static Claim claim(int number) {
        return new Claim("lock-" + number, "owner " + number);
    }

    private static String key(int number) {
        return "lock:{lock-" + number + "}";
    }

    private static StoreException failure(CompletableFuture<?> answer) {
        Throwable failure = answer.handle((held, thrown) -> thrown)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        assertThat(failure).as("a failure instead of an answer").isNotNull();
        return (StoreException) (failure instanceof CompletionException ? failure.getCause() : failure);
    }
}
