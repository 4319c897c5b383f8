package io.distributedlock.simulation.network;

import io.lettuce.core.protocol.ConnectionInitializer;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Announces a connection when its server has accepted it. */
final class Handshake extends ChannelInboundHandlerAdapter {

    private final ConnectionInitializer initializer;

    Handshake(ConnectionInitializer initializer) {
        this.initializer = initializer;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        initializer.initialize(context.channel()).whenComplete((done, failure) -> {
            if (failure == null) {
                context.fireChannelActive();
            } else {
                context.close();
            }
        });
    }
}
