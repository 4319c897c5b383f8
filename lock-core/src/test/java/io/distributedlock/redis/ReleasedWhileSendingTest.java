package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A call that ends while a thread is about to send its next try: its claim is released first, and queued then. Nothing of
 * it stays in the queue.
 */
class ReleasedWhileSendingTest {

    private static final String QUEUE = "lock:{orders:42}:q";
    private static final LockRequest WANTED =
            LockRequest.of("orders", "42").withTtl(Duration.ofSeconds(30)).withWaitTime(Duration.ofSeconds(20));

    private final RedisServer server = RedisServer.start();
    private final AtomicReference<Runnable> beforeTheNextTry = new AtomicReference<>();
    private final DefaultLockClient client = new DefaultLockClientBuilder(store()).build();
    private final DefaultLockClient other = new DefaultLockClientBuilder(store()).build();

    private RedisLockStore store() {
        RedisClientSource source = RedisClientSource.of(RedisURI.create(server.uri()));
        return new RedisLockStore(new RedisLockConnection(source, Duration.ofSeconds(5), this::nanoTime), "lock");
    }

    /** The claim is known by then, and the command is not sent. */
    private long nanoTime() {
        boolean sends = beforeTheNextTry.get() != null
                && StackWalker.getInstance()
                        .walk(frames ->
                                frames.anyMatch(each -> each.getMethodName().equals("trying")));
        Runnable event = sends ? beforeTheNextTry.getAndSet(null) : null;
        if (event != null) {
            event.run();
        }
        return System.nanoTime();
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        server.close();
    }

    @Test
    void aClaimThatIsReleasedBeforeItsTryIsSentIsNotLeftInTheQueue() {
        LockHandle holder = other.acquire(WANTED);
        CompletableFuture<LockHandle> call = client.acquireAsync(WANTED);
        await().until(() -> server.command("ZCARD", QUEUE).equals(1L));
        beforeTheNextTry.set(() -> {
            call.cancel(false);
            await().until(() -> client.unresolved() == 0);
        });
        await("the next try").atMost(Duration.ofMinutes(1)).until(call::isDone);
        await("the release after that try")
                .until(() -> server.command("ZCARD", QUEUE).equals(0L));
        await("its answer").until(() -> client.unresolved() == 0);
        assertThat(holder.isHeld()).isTrue();
    }
}
