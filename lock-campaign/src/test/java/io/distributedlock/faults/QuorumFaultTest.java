package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LossReason;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** F47 and F48: some of five independent masters are killed, paused or restarted without their data. */
class QuorumFaultTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(200);
    private static final Duration TTL = Duration.ofSeconds(3);
    private static final String KEY = "lock:{42}";

    private static RedisFleet fleet;

    private final List<LockClient> opened = new ArrayList<>();
    private LockClient client;

    @BeforeAll
    static void start() {
        fleet = RedisFleet.start(5);
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @BeforeEach
    void connect() {
        client = client();
    }

    @AfterEach
    void repair() {
        opened.forEach(LockClient::close);
        fleet.servers().forEach(QuorumFaultTest::revive);
        fleet.servers().forEach(server -> server.command("FLUSHALL"));
    }

    private LockClient client() {
        return client(store(fleet.uris()), TTL);
    }

    private static QuorumLockStore store(List<String> uris) {
        return new QuorumLockStore(
                uris.stream().map(uri -> new QuorumNode(uri, node(uri))).toList(), NODE_TIMEOUT);
    }

    private LockClient client(QuorumLockStore store, Duration ttl) {
        LockClient made = LockClient.builder(store)
                .commandTimeout(COMMAND_TIMEOUT)
                .ttl(ttl)
                .build();
        opened.add(made);
        FaultTest.warmUp(made);
        return made;
    }

    private static RedisLockStore node(String uri) {
        return new RedisLockStore(
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), COMMAND_TIMEOUT), "lock");
    }

    private static void revive(RedisServer server) {
        if (server.isAlive()) {
            server.resume();
        } else {
            server.restart();
        }
    }

    private LockHandle take() {
        return FaultTest.take(client, LockRequest.of("42"));
    }

    private static boolean isHeldAt(RedisServer server) {
        return server.command("EXISTS", KEY).equals(1L);
    }

    private static void awaitNothingLeft() {
        await().until(() -> fleet.running().stream().noneMatch(QuorumFaultTest::isHeldAt));
    }

    private static void awaitHeldByAll() {
        await().until(() -> fleet.running().stream().allMatch(QuorumFaultTest::isHeldAt));
    }

    /** Until the lease has been renewed at a node, seen from the server. */
    private static void awaitRenewal(RedisServer server) {
        AtomicLong last = new AtomicLong(Long.MAX_VALUE);
        await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> {
            long left = (Long) server.command("PTTL", KEY);
            return left > last.getAndSet(left);
        });
    }

    @Test
    void withTwoOfFiveKilledGrantsAndRenewalsGoOn() {
        LockHandle lock = take();
        fleet.server(0).kill();
        fleet.server(1).kill();
        awaitRenewal(fleet.server(4));
        awaitRenewal(fleet.server(4));
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        awaitNothingLeft();
        try (LockHandle next = take()) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void withTwoOfFivePausedGrantsAndRenewalsGoOnAndThoseAreCleanedAfterwards() {
        LockHandle lock = take();
        fleet.server(0).pause();
        fleet.server(1).pause();
        awaitRenewal(fleet.server(4));
        awaitRenewal(fleet.server(4));
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        take().release();
        fleet.servers().forEach(RedisServer::resume);
        awaitNothingLeft();
    }

    @Test
    void aNodeThatComesBackEmptyIsGivenTheLocksThatAreHeld() {
        LockHandle lock = take();
        awaitHeldByAll();
        fleet.server(0).restart();
        fleet.server(1).restart();
        awaitHeldByAll();
        fleet.server(2).kill();
        fleet.server(3).kill();
        awaitRenewal(fleet.server(0));
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        awaitNothingLeft();
    }

    @Test
    void withThreeOfFiveKilledACallFailsSoonAndAHolderIsTold() {
        LockHandle lock = take();
        fleet.servers().stream().limit(3).forEach(RedisServer::kill);
        long begin = System.nanoTime();
        assertThatThrownBy(() -> client.acquire(LockRequest.of("other").withWaitTime(Duration.ofMinutes(1))))
                .isInstanceOf(LockUnavailableException.class);
        assertThat(System.nanoTime() - begin)
                .as("does not wait for the minute that others could need")
                .isLessThan(Duration.ofSeconds(20).toNanos());
        assertThat(FaultTest.awaitLoss(lock)).isEqualTo(LossReason.DEADLINE);
        awaitNothingLeft();
        fleet.servers().forEach(QuorumFaultTest::revive);
        take().release();
        awaitNothingLeft();
    }

    @Test
    void withThreeOfFivePausedACallFailsSoonAndNothingIsLeftAfterwards() {
        fleet.servers().stream().limit(3).forEach(RedisServer::pause);
        assertThatThrownBy(() -> client.acquire(LockRequest.of("42").withWaitTime(Duration.ofMinutes(1))))
                .isInstanceOf(LockUnavailableException.class);
        fleet.servers().forEach(RedisServer::resume);
        awaitNothingLeft();
        await().until(() -> client.unresolved() == 0);
        take().release();
    }

    @Test
    void aMajorityThatComesBackEmptyHasLostTheLock() {
        LockHandle lock = take();
        fleet.servers().stream().limit(3).forEach(RedisServer::kill);
        fleet.servers().stream().limit(3).forEach(RedisServer::restart);
        assertThat(FaultTest.awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        awaitNothingLeft();
    }

    /**
     * The server has lost the script of an acquire, but not that of a release: so the acquire, sent once more as a
     * text, is executed behind its release.
     */
    @Test
    void aGrantThatComesBehindItsReleaseIsTakenBack() {
        try (Relay slow = Relay.to(fleet.server(4).port())) {
            List<String> uris = new ArrayList<>(fleet.uris());
            uris.set(4, slow.uri());
            QuorumLockStore store = store(uris);
            LockClient last = client(store, Duration.ofMinutes(1));
            awaitNothingLeft();
            await().until(() -> store.unfinishedReleases() == 0);
            forgetAllScriptsButRelease(fleet.server(4));
            slow.hold(Direction.REQUESTS);
            FaultTest.take(last, LockRequest.of("42")).release();
            assertThat(store.unfinishedReleases()).isPositive();
            slow.deliver(Direction.REQUESTS);
            await().until(() -> store.unfinishedReleases() == 0);
            assertThat(isHeldAt(fleet.server(4))).isFalse();
        }
    }

    private static void forgetAllScriptsButRelease(RedisServer server) {
        try (RedisLockStore other = node(server.uri())) {
            release(other);
            release(other);
            server.command("SCRIPT", "FLUSH");
            release(other);
        }
    }

    /** At the second time the connection has had the server load all scripts. */
    private static void release(RedisLockStore store) {
        await().ignoreExceptions().until(() -> {
            store.release(new Claim("another", "owner")).toCompletableFuture().join();
            return true;
        });
    }

    @Test
    void manyClientsOfOneLockGetItOneAfterTheOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<LockClient> waiters = List.of(client, client(), client());
        ExecutorService threads = Executors.newFixedThreadPool(waiters.size());
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (LockClient waiter : waiters) {
                runs.add(threads.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        try (LockHandle lock =
                                waiter.acquire(LockRequest.of("42").withWaitTime(Duration.ofMinutes(2)))) {
                            assertThat(lock.fencingToken()).isPositive();
                            overlaps.addAndGet(inside.getAndIncrement());
                            inside.decrementAndGet();
                        }
                    }
                }));
            }
            for (Future<?> run : runs) {
                run.get(4, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(overlaps).hasValue(0);
        awaitNothingLeft();
    }
}
