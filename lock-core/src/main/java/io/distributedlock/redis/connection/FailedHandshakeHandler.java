package io.distributedlock.redis.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the driver from opening two connections in place of one, and from using one that has ended.
 *
 * <p>A failed handshake makes the driver try again. The end of its connection would make it try a second time, if the
 * thread stands still in between, and the connection that is opened first would stay open without a use.
 *
 * <p>A handshake whose last commands get no answer counts as a success, also if they get none because the connection
 * has ended. So the driver may announce a connection after its end.
 */
final class FailedHandshakeHandler extends ChannelInboundHandlerAdapter {

    private final CompletableFuture<Void> handshake;
    private boolean announced;
    private boolean ended;

    /** @param handshake its failure makes the driver try again */
    FailedHandshakeHandler(CompletionStage<Void> handshake) {
        this.handshake = handshake.toCompletableFuture();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        if (handshake.isCompletedExceptionally()) {
            return;
        }
        announced = true;
        super.channelActive(context);
        if (ended) {
            super.channelInactive(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        ended = true;
        if (announced || !handshake.isCompletedExceptionally()) {
            super.channelInactive(context);
        }
    }
}
