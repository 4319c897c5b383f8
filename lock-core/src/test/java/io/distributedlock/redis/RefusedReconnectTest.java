package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that refuses the user for a while, in a process whose threads stand still at a bad moment. */
class RefusedReconnectTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofSeconds(30);

    private final RedisServer server = RedisServer.start();
    private final SlowEnds ends = new SlowEnds();
    private final LockStore store;

    RefusedReconnectTest() {
        setPassword("right");
        RedisURI uri = RedisURI.builder(RedisURI.create(server.uri()))
                .withAuthentication("alice", "right".toCharArray())
                .build();
        store = new RedisLockStore(
                new RedisLockConnection(new CustomizedClientSource(uri, ends), Duration.ofSeconds(5)), "lock");
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    /**
     * The driver learns twice that a reconnect was refused: by its answer, and by the end of the connection. A second
     * connection that it opens for the second would never be used, and never be closed.
     */
    @Test
    void eachRefusalIsFollowedByOneReconnect() {
        store.ready().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
        setPassword("another");
        server.command("CLIENT", "KILL", "USER", "alice");
        await().atMost(LIMIT).until(() -> ends.closed.get() >= 5);
        setPassword("right");

        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> store.acquire(new Claim("42", "owner"), TTL, Duration.ZERO)
                                .toCompletableFuture()
                                .join()
                        instanceof Granted);
        await().atMost(LIMIT).until(() -> ends.pausing.get() == 0);
        assertThat(ends.mostOpen).hasValue(1);
    }

    private void setPassword(String password) {
        server.command("ACL", "SETUSER", "alice", "on", "resetpass", ">" + password, "~*", "&*", "+@all");
    }

    /** The event loop stands still between the end of a connection and the driver's handling of it. */
    private static final class SlowEnds implements NettyCustomizer {

        private static final Duration PAUSE = Duration.ofMillis(200);

        private final AtomicInteger open = new AtomicInteger();
        private final AtomicInteger mostOpen = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private final AtomicInteger pausing = new AtomicInteger();

        @Override
        public void afterChannelInitialized(Channel channel) {
            mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
            channel.closeFuture().addListener(end -> open.decrementAndGet());
            channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
                @Override
                public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
                    pausing.incrementAndGet();
                    promise.addListener(end -> context.executor().execute(SlowEnds.this::pause));
                    super.close(context, promise);
                }
            });
        }

        private void pause() {
            LockSupport.parkNanos(PAUSE.toNanos());
            closed.incrementAndGet();
            pausing.decrementAndGet();
        }
    }
}
