package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs without a framework, each in a process of its own. */
@Timeout(180)
class OtherProcessTest {

    private static final String KEY = "lock:{42}";
    private static final Duration TTL = Duration.ofSeconds(3);
    private static final LockRequest PATIENT =
            LockRequest.of("42").withFencing().withWaitTime(Duration.ofMinutes(1));

    private final RedisServer server = RedisServer.start();

    /** A client whose connection is open: on a busy machine the first one may take longer than a call waits for it. */
    private static LockClient connect(String uri) {
        LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(uri)))
                .ttl(TTL)
                .waitTime(Duration.ofMinutes(1))
                .build();
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> client.tryAcquire(
                                "warm-up-" + ProcessHandle.current().pid())
                        .isPresent());
        client.drain(Duration.ofSeconds(10));
        return client;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Runs something under a lock, and something under the same lock again. */
    static final class Counting {
        public static void main(String[] arguments) {
            try (LockClient client = connect(arguments[0])) {
                LockTemplate template = new LockTemplate(client);
                long token = template.execute("42", LockHandle::fencingToken);
                String nested = template.execute("42", lock -> template.execute("42", same -> "nested"));
                System.out.println(nested + " " + token);
            }
        }
    }

    /** Holds a lock until it is killed. */
    static final class Holding {
        public static void main(String[] arguments) throws IOException {
            LockHandle lock = connect(arguments[0]).acquire(LockRequest.of("42").withFencing());
            System.out.println("held " + lock.fencingToken());
            System.out.println("ended by line " + System.in.read());
        }
    }

    @Tag("long")
    @Test
    void aPlainProgramRunsUnderALockAndEndsByItself() {
        try (ChildJvm first = ChildJvm.start(Counting.class, server.uri());
                ChildJvm second = ChildJvm.start(Counting.class, server.uri())) {
            long one = token(first.awaitLine(line -> line.startsWith("nested ")));
            long other = token(second.awaitLine(line -> line.startsWith("nested ")));
            assertThat(one).isNotEqualTo(other).isPositive();
            assertThat(first.exitCode()).isZero();
            assertThat(second.exitCode()).isZero();
        }
        assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
    }

    @Test
    void theLockOfAKilledProcessIsFreeWithinItsTtlAlthoughItWasRenewed() {
        try (ChildJvm child = ChildJvm.start(Holding.class, server.uri());
                LockClient client = connect(server.uri())) {
            long token = token(child.awaitLine(line -> line.startsWith("held ")));
            awaitRenewal();
            child.kill();
            assertThat((Long) server.command("PTTL", KEY)).isBetween(-2L, TTL.toMillis());
            try (LockHandle next = client.acquire(PATIENT)) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }

    @Tag("long")
    @Test
    void aPausedProcessFindsOutThatItLostItsLockAndItsSuccessorIsNotDisturbed() {
        try (ChildJvm child = ChildJvm.start(Holding.class, server.uri());
                LockClient client = connect(server.uri())) {
            child.awaitLine(line -> line.startsWith("held "));
            child.pause();
            try (LockHandle next = client.acquire(PATIENT)) {
                child.resume();
                child.send("go on");
                child.awaitLine(line -> line.startsWith("ended by line"));
                assertThat(next.isHeld()).isTrue();
                assertThat(server.command("EXISTS", KEY)).isEqualTo(1L);
            }
        }
    }

    private static long token(String line) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
    }

    /** The expiry moves back up: a client has renewed the lease. */
    private void awaitRenewal() {
        await().until(() -> (Long) server.command("PTTL", KEY) < TTL.toMillis() * 4 / 5);
        await().until(() -> (Long) server.command("PTTL", KEY) > TTL.toMillis() * 9 / 10);
    }
}
