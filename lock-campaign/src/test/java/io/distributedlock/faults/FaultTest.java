package io.distributedlock.faults;

import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A Redis, a relay in front of it that can misbehave, and clients on either side of the relay. */
abstract class FaultTest {

    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);
    static final Duration TTL = Duration.ofSeconds(3);
    static final Duration PATIENT_TTL = Duration.ofSeconds(15);
    static final Duration PATIENT_TIMEOUT = Duration.ofSeconds(5);
    static final Duration TWO_HOURS = Duration.ofHours(2);
    static final String KEY = "lock:{42}";

    /** The limit of waits in tests, for processes that a test starts: there Awaitility gives up after ten seconds. */
    static final Duration LIMIT = Duration.ofMinutes(1);

    /** A script with these keys is an acquire if owner, ttl and the wish for a token follow. */
    private static final String RELEASE = KEY + " " + KEY + ":r lock:fence " + KEY + ":q ";

    private static final Pattern ACQUIRE = Pattern.compile(
            "KEY( KEY:unused)?( KEY:r)? lock:fence( KEY:q)? \\S+ \\d+ [01]( |$)".replace("KEY", "lock:\\{42}"));

    private final List<AutoCloseable> opened = new ArrayList<>();
    final RedisServer server;
    final Relay relay;
    LockClient client;

    FaultTest(String... serverArguments) {
        server = RedisServer.start(serverArguments);
        relay = Relay.to(server.port());
    }

    /**
     * Every script is in the server's cache before a fault, so that what is held or lost is a command and not its
     * NOSCRIPT. On a busy machine the first connection may take more than one try.
     */
    @BeforeEach
    void connect() {
        client = client(relay.uri());
        warmUp(client);
        awaitClean();
    }

    static void warmUp(LockClient client) {
        await().atMost(LIMIT).pollDelay(Duration.ZERO).ignoreExceptions().until(() -> {
            try (LockHandle warmUp = client.acquire("warm-up")) {
                return warmUp.extendAsync(TTL).join();
            }
        });
    }

    @AfterEach
    void disconnect() throws Exception {
        relay.refuse(false);
        for (Direction direction : Direction.values()) {
            relay.deliver(direction);
        }
        server.resume();
        for (AutoCloseable each : opened) {
            each.close();
        }
        relay.close();
        server.close();
    }

    LockClient client(String uri) {
        return client(uri, TTL, COMMAND_TIMEOUT);
    }

    /** @param ttl the lease of renewed locks */
    LockClient client(String uri, Duration ttl, Duration commandTimeout) {
        return closedAtTheEnd(newClient(uri, ttl, commandTimeout));
    }

    /** A connected client whose timeouts no busy machine exceeds. */
    LockClient patient(String uri) {
        LockClient made = client(uri, PATIENT_TTL, PATIENT_TIMEOUT);
        warmUp(made);
        return made;
    }

    LockClient closedAtTheEnd(LockClient made) {
        opened.add(made);
        return made;
    }

    static LockClient newClient(String uri, Duration ttl, Duration commandTimeout) {
        return newClient(uri, ttl, commandTimeout, true);
    }

    /** @param notifications whether it waits in the server's queue */
    static LockClient newClient(String uri, Duration ttl, Duration commandTimeout, boolean notifications) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), commandTimeout);
        return LockClient.builder(new RedisLockStore(connections, "lock", notifications))
                .commandTimeout(commandTimeout)
                .ttl(ttl)
                .build();
    }

    /** {@link #take(LockClient, LockRequest)} by key, through the relay. */
    LockHandle take(String key) {
        return take(client, LockRequest.of(key).withFencing());
    }

    /**
     * Takes a lock where nothing is in the way. A machine that is too busy for a command timeout gets more tries. They
     * are made on a thread that ends with them.
     */
    static LockHandle take(LockClient client, LockRequest request) {
        return await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> unbound(client.acquire(request)), LockHandle::isHeld);
    }

    private static LockHandle unbound(LockHandle lock) {
        lock.unbind();
        return lock;
    }

    /** Extends a lock by a lease where nothing is in the way. A missing reply of a busy machine gets more tries. */
    static boolean extend(LockHandle lock) {
        return await().atMost(LIMIT)
                .ignoreExceptionsMatching(FaultTest::isUnanswered)
                .until(() -> Optional.of(lock.extendAsync(TTL).join()), Optional::isPresent)
                .get();
    }

    /** Waits until a renewal has moved the end of the lease, however shortly before this the last one did so. */
    static void awaitRenewal(LockHandle lock) {
        long end = lock.remaining().toNanos() + System.nanoTime();
        await().atMost(LIMIT).until(() -> {
            long now = System.nanoTime();
            Duration left = lock.remaining();
            return !left.isZero() && now + left.toNanos() > end;
        });
    }

    private static boolean isUnanswered(Throwable failure) {
        return failure.getCause() instanceof LockUnavailableException told && told.outcome() == Outcome.UNKNOWN;
    }

    static LockRequest once(String key) {
        return LockRequest.of(key).withWaitTime(Duration.ZERO);
    }

    static boolean isAcquire(String request) {
        return ACQUIRE.matcher(request).find() || request.startsWith("SET " + KEY + " ");
    }

    /** Where there are several locks, their extensions may share a command. */
    static boolean isExtend(String request) {
        return request.contains("lock:fence " + KEY + " ");
    }

    static boolean isRelease(String request) {
        return (request.contains(RELEASE) && !isAcquire(request))
                || request.startsWith("DELIFEQ " + KEY + " ")
                || request.startsWith("DELEX " + KEY + " ");
    }

    /** How often the server has been asked for a release, in any of its forms, or for an extension. */
    long comparisons() {
        return calls("getex") + calls("delifeq") + calls("delex");
    }

    boolean isInRedis() {
        return server.command("EXISTS", KEY).equals(1L);
    }

    long pttl() {
        return (Long) server.command("PTTL", KEY);
    }

    /** The fence counter of all locks: it grows with every grant. */
    Object token() {
        return server.command("GET", "lock:fence");
    }

    /** How often the server has run this command, in scripts or not, since it started. */
    long calls(String command) {
        return server.calls(command);
    }

    static boolean isLost(LockHandle lock) {
        return lock.lost().toCompletableFuture().isDone();
    }

    static LossReason awaitLoss(LockHandle lock) {
        return lock.lost().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    void awaitGone() {
        await().pollInterval(5, TimeUnit.MILLISECONDS).until(() -> !isInRedis());
    }

    void awaitClean() {
        await().until(() -> client.unresolved() == 0);
    }
}
