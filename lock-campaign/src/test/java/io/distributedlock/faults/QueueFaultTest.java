package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A lock that is held and clients that wait for it in the server's queue. */
abstract class QueueFaultTest extends FaultTest {

    static final String QUEUE = KEY + ":q";
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final LockRequest WANTED = LockRequest.of("42").withWaitTime(PATIENCE);

    @Override
    LockClient client(String uri) {
        return patient(uri);
    }

    /** A client whose claims are queued. */
    LockClient queueing(String uri) {
        LockClient made = client(uri);
        await().until(() -> isQueued(made));
        return made;
    }

    /** Its channel may be open a moment later than its connection. */
    private boolean isQueued(LockClient client) {
        String probe = "lock:{probe}";
        server.command("SET", probe, "a client", "PX", "60000");
        CompletableFuture<LockHandle> waiter =
                client.acquireAsync(LockRequest.of("probe").withWaitTime(Duration.ofMillis(100)));
        boolean queued = false;
        while (!waiter.isDone()) {
            queued |= server.command("EXISTS", probe + ":q").equals(1L);
        }
        await().until(() -> client.unresolved() == 0);
        server.command("DEL", probe);
        return queued;
    }

    /** Begins to wait, and is the last one of so many in the queue when this returns. */
    CompletableFuture<LockHandle> waiting(LockClient client, int place) {
        CompletableFuture<LockHandle> waiter = client.acquireAsync(WANTED);
        awaitWaiters(place);
        return waiter;
    }

    void awaitWaiters(int count) {
        await().until(() -> waiters().size() == count);
    }

    /** The owners that wait, in the order of their arrival. */
    List<String> waiters() {
        List<?> members = (List<?>) server.command("ZRANGE", QUEUE, "0", "-1");
        return members.stream()
                .map(member -> String.valueOf(member).split(" ")[4])
                .toList();
    }

    /** Who holds the lock, whether or not it is marked because a claim was queued for it. */
    String owner() {
        return String.valueOf(server.command("GET", KEY)).replace("!", "");
    }

    static LockHandle awaitLock(CompletableFuture<LockHandle> waiter) {
        LockHandle lock = waiter.orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(lock.isHeld()).isTrue();
        return lock;
    }

    void assertNothingIsLeft() {
        awaitGone();
        assertThat(server.command("EXISTS", QUEUE)).isEqualTo(0L);
    }
}
