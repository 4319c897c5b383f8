package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * More than a thousand losses, for every cause there is: each holder is told once, and in time. No caller can be told
 * anything while the process stands still, so the time for which it did is measured, and allowed for.
 */
@Tag("long")
class LossTableTest extends FaultTest {

    private static final int MANY = 150;
    private static final int SOME = 100;
    private static final Duration FOREVER = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration NEXT_RENEWAL = TTL.dividedBy(3).plus(COMMAND_TIMEOUT);
    private static final UnaryOperator<LockRequest> RENEWED = request -> request;

    private final LossTable table = new LossTable();

    @Test
    void everyLossIsToldOnceAndInTime() throws InterruptedException {
        table.begin();
        try {
            theServerCanNotBeReached();
            theServerStandsStill();
            theProcessStandsStill();
            theServerComesBackWithoutItsData();
            administratorsDelete();
            anotherProcessReleasesByForce();
            theLeaseIsOver();
            theMaxHoldIsReached();
            theHoldersThreadHasEnded();
            theClientIsClosed();
        } finally {
            table.end();
        }
        assertThat(table.injections()).isGreaterThan(1_000);
    }

    /** As long as another client's measure says, and as many stalls as there are threads to pass through on the way. */
    private Duration within(Duration limit) {
        return limit.plus(table.stall().multipliedBy(4)).plus(COMMAND_TIMEOUT);
    }

    private LossRow row(String cause, LossReason reason, Duration ttl) {
        return new LossRow(cause, Set.of(reason), relay.uri(), ttl);
    }

    private void theServerCanNotBeReached() {
        try (LossRow row = row("black hole", LossReason.DEADLINE, TTL)) {
            row.hold(MANY, RENEWED);
            relay.hold(Direction.REQUESTS);
            relay.hold(Direction.REPLIES);
            row.injected();
            row.readExpiries(server);
            row.assertEachIsToldOnce();
            row.assertToldBeforeExpiry(table.stall());
            table.add(row);
            deliver();
        }
    }

    private void deliver() {
        relay.deliver(Direction.REQUESTS);
        relay.deliver(Direction.REPLIES);
    }

    /** Requests are kept back until the server has said when it will let go, and stands still. */
    private void theServerStandsStill() {
        try (LossRow row = row("SIGSTOP of the server", LossReason.DEADLINE, TTL)) {
            row.hold(MANY, RENEWED);
            relay.hold(Direction.REQUESTS);
            row.injected();
            row.readExpiries(server);
            // What had been sent before has been executed by now, so the second answer is final.
            row.readExpiries(server);
            server.pause();
            deliver();
            row.assertEachIsToldOnce();
            server.resume();
            row.assertToldBeforeExpiry(table.stall());
            table.add(row);
        }
    }

    private void theProcessStandsStill() {
        try (ChildJvm child = ChildJvm.start(StoppedHolders.class, server.uri(), String.valueOf(MANY))) {
            child.awaitLine("held"::equals);
            child.pause();
            for (int i = 0; i < MANY; i++) {
                awaitGone(LossRow.redisKey("lock-" + i));
            }
            child.send("ask");
            child.resume();
            assertThat(child.awaitLine(line -> line.startsWith("asked"))).startsWith("asked, 0 of ");
            String told = child.awaitLine(line -> line.startsWith("told"));
            int each = Integer.parseInt(told.substring("told ".length()));
            assertThat(each).isEqualTo(MANY);
            table.add(each, "%-34s %8d %9d %13s".formatted("SIGSTOP of the process", each, each, "first question"));
        }
    }

    private void awaitGone(String key) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> server.command("EXISTS", key).equals(0L));
    }

    private void theServerComesBackWithoutItsData() {
        try (LossRow row = row("restart without data", LossReason.NOT_OWNER, FOREVER)) {
            row.hold(MANY, RENEWED);
            row.injected();
            row.countFromReconnect();
            server.restart();
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(Duration.ofMillis(100)));
            table.add(row);
        }
    }

    private void administratorsDelete() {
        try (LossRow row = row("DEL", LossReason.NOT_OWNER, TTL)) {
            row.hold(MANY, RENEWED);
            row.injected();
            row.keys().forEach(key -> server.command("DEL", LossRow.redisKey(key)));
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(NEXT_RENEWAL));
            table.add(row);
        }
        try (LossRow row = row("FLUSHALL", LossReason.NOT_OWNER, TTL)) {
            row.hold(MANY, RENEWED);
            row.injected();
            server.command("FLUSHALL");
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(NEXT_RENEWAL));
            table.add(row);
        }
    }

    private void anotherProcessReleasesByForce() {
        try (LossRow row = row("forced release elsewhere", LossReason.FORCED, FOREVER)) {
            row.hold(MANY, RENEWED);
            row.injected();
            row.keys().forEach(key -> client.monitor().forceRelease(LossRow.id(key)));
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(Duration.ofMillis(100).multipliedBy(MANY)));
            table.add(row);
        }
    }

    private void theLeaseIsOver() {
        try (LossRow row = row("an explicit ttl is over", LossReason.DEADLINE, TTL)) {
            row.hold(SOME, request -> request.withTtl(SHORT));
            row.injected();
            row.readExpiries(server);
            row.assertEachIsToldOnce();
            row.assertToldBeforeExpiry(table.stall());
            table.add(row);
        }
    }

    private void theMaxHoldIsReached() {
        try (LossRow row = row("max-hold", LossReason.MAX_HOLD, TTL)) {
            row.hold(SOME, request -> request.withMaxHold(SHORT));
            row.injected();
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(SHORT));
            table.add(row);
        }
    }

    private void theHoldersThreadHasEnded() throws InterruptedException {
        try (LossRow row = row("the holder's thread has ended", LossReason.HOLDER_GONE, TTL)) {
            Thread holder = new Thread(() -> {
                for (int i = 0; i < SOME; i++) {
                    LockHandle lock = row.client.acquire(LockRequest.of("doomed", "lock-" + i));
                    row.add(lock);
                }
            });
            holder.start();
            holder.join();
            row.injected();
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(NEXT_RENEWAL));
            table.add(row);
        }
    }

    private void theClientIsClosed() {
        try (LossRow row = row("the client is closed", LossReason.CLOSED, TTL)) {
            row.hold(SOME, RENEWED);
            row.injected();
            row.client.close();
            row.assertEachIsToldOnce();
            row.assertToldWithin(within(COMMAND_TIMEOUT));
            table.add(row);
        }
    }
}
