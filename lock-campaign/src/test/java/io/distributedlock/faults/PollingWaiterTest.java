package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.relay.Cut;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Without notifications no caller tells a waiter of a release: it has to come and look, soon enough and not too often. */
class PollingWaiterTest extends FaultTest {

    private static final Duration LONGEST_SLEEP = Duration.ofMillis(160);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void f29AWaiterHasTheLockAtItsFirstTryAfterTheReleaseHoweverLongTheLeaseWas() {
        LockHandle holder = take(patient(server.uri()), LockRequest.of("42").withTtl(TWO_HOURS));
        CompletableFuture<LockHandle> waiter = waiterOf(patient());
        awaitTries(10);
        holder.release();
        long before = calls("evalsha");
        LockHandle next = waiter.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(next.isHeld()).isTrue();
        assertThat(calls("evalsha") - before).isLessThanOrEqualTo(1);
        next.release();
    }

    @Test
    void f29AWaiterKeepsLookingWithoutHammeringTheServer() {
        LockHandle holder = take(client, LockRequest.of("42").withTtl(TWO_HOURS));
        CompletableFuture<LockHandle> waiter = waiterOf(patient());
        awaitTries(10);
        long begin = System.nanoTime();
        long before = calls("evalsha");
        awaitTries(20);
        long tries = calls("evalsha") - before;
        Duration watched = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(tries).isLessThan(2 + watched.dividedBy(LONGEST_SLEEP.dividedBy(2)));
        waiter.cancel(true);
        holder.release();
        awaitGone();
    }

    @Test
    void f29AWaiterWhoseConnectionBrokeDuringTheReleaseHasTheLockSoonAfterIt() {
        LockHandle holder = take(client(server.uri()), LockRequest.of("42").withTtl(TWO_HOURS));
        CompletableFuture<LockHandle> waiter = waiterOf(patient());
        awaitTries(3);
        relay.refuse(true);
        relay.cut(Cut.RST);
        holder.release();
        relay.refuse(false);
        waiter.orTimeout(20, TimeUnit.SECONDS).join().release();
        awaitGone();
    }

    /** With a ttl that is neither renewed nor stretched, a waiter sends nothing but its tries. */
    private static CompletableFuture<LockHandle> waiterOf(LockClient client) {
        return client.acquireAsync(LockRequest.of("42").withWaitTime(PATIENCE).withTtl(Duration.ofSeconds(5)));
    }

    private LockClient patient() {
        LockClient made = closedAtTheEnd(newClient(relay.uri(), Duration.ofSeconds(15), Duration.ofSeconds(5), false));
        warmUp(made);
        return made;
    }

    private void awaitTries(int tries) {
        long before = calls("evalsha");
        await().until(() -> calls("evalsha") >= before + tries);
    }
}
