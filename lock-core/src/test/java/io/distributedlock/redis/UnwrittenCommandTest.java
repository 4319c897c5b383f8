package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands that the driver has accepted, and can't write because the connection is just breaking. */
class UnwrittenCommandTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Claim CLAIM = new Claim("42", "owner");

    private final RedisServer server = RedisServer.start();
    private final BreakingWrites writes = new BreakingWrites();
    private final LockStore store = new RedisLockStore(
            new RedisLockConnection(
                    new CustomizedClientSource(RedisURI.create(server.uri()), writes), Duration.ofSeconds(5)),
            "lock");

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static Throwable failure(CompletionStage<?> stage) {
        return answer(stage.handle(
                (answer, failure) -> failure instanceof CompletionException ? failure.getCause() : failure));
    }

    @Test
    void aCommandThatCouldNotBeWrittenFails() {
        answer(store.ready());
        writes.breaking = true;
        assertThat(failure(store.acquire(CLAIM, TTL, Duration.ZERO)))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.effect()).isEqualTo(StoreException.Effect.UNKNOWN));
    }

    @Test
    void extensionsThatCouldNotBeWrittenDoNotKeepLaterOnesWaiting() {
        answer(store.ready());
        assertThat(answer(store.acquire(CLAIM, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
        writes.breaking = true;
        for (int i = 0; i < 2 * InFlightLimit.MAX_UNANSWERED; i++) {
            assertThat(failure(store.extend(CLAIM, 0, TTL))).isInstanceOf(StoreException.class);
        }
        writes.breaking = false;
        assertThat(answer(store.extend(CLAIM, 0, TTL))).isPositive();
    }

    /** Writes that fail for a while, as those to a socket that was reset do. */
    private static final class BreakingWrites implements NettyCustomizer {

        private volatile boolean breaking;

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
                        throws Exception {
                    if (breaking) {
                        ReferenceCountUtil.release(message);
                        promise.setFailure(new ClosedChannelException());
                    } else {
                        super.write(context, message, promise);
                    }
                }
            });
        }
    }
}
