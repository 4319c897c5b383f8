package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A killed process cleans nothing up: what it leaves behind has to end by itself, and soon. */
class KilledClientTest extends FaultTest {

    private static final Duration PROBATION = Duration.ofSeconds(5);

    /** Holds the lock through the address in its first argument: for the ttl in its second, or renewed; and says so. */
    static final class Holder {

        public static void main(String[] arguments) {
            LockClient client = newClient(arguments[0], TTL, Duration.ofSeconds(1));
            await().atMost(LIMIT)
                    .ignoreExceptions()
                    .until(() -> client.tryAcquire("child").isPresent());
            LockRequest request = LockRequest.of("42");
            client.acquire(arguments.length == 1 ? request : request.withTtl(Duration.parse(arguments[1])));
            System.out.println("held");
            new CompletableFuture<>().join();
        }
    }

    @Test
    void f6AClientKilledBetweenItsAcquireAndTheReplyBlocksOthersForTheProbationAndNotForTheTtl() {
        CompletableFuture<?> sent =
                relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRun(() -> relay.hold(Direction.REQUESTS));
        try (ChildJvm child = ChildJvm.start(Holder.class, relay.uri(), TWO_HOURS.toString())) {
            sent.orTimeout(60, TimeUnit.SECONDS).join();
            await().until(this::isInRedis);
            child.kill();
        }
        assertThat(pttl()).isNotEqualTo(-1L).isLessThanOrEqualTo(PROBATION.toMillis());
        awaitNextHolder();
    }

    @Test
    void f6AClientKilledWhileItHoldsARenewedLockBlocksOthersForOneLease() {
        try (ChildJvm child = ChildJvm.start(Holder.class, server.uri())) {
            child.awaitLine("held"::equals);
            child.kill();
        }
        assertThat(pttl()).isNotEqualTo(-1L).isLessThanOrEqualTo(TTL.toMillis());
        awaitNextHolder();
    }

    private void awaitNextHolder() {
        take(client(server.uri()), LockRequest.of("42").withWaitTime(Duration.ofSeconds(20)))
                .release();
    }
}
