package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.connection.ConnectionRegistry;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the commands leave that many threads send while replies are read. */
class PortionsTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private int portions;
    private int portionsDuringReplies;

    @BeforeEach
    void connect() {
        new ConnectionRegistry(Duration.ofSeconds(1), List.of()).afterChannelInitialized(channel);
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
                portions++;
                context.flush();
            }
        });
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object commands) {
                for (int i = 0; i < (int) commands; i++) {
                    context.writeAndFlush("command");
                }
                portionsDuringReplies = portions;
            }
        });
    }

    @AfterEach
    void disconnect() {
        channel.finishAndReleaseAll();
    }

    @Test
    void whatComesTogetherLeavesInOneWrite() {
        channel.writeInbound(15);
        assertThat(portionsDuringReplies).isZero();
        assertThat(portions).isEqualTo(1);
        assertThat(channel.outboundMessages()).hasSize(15);
    }

    @Test
    void theServerGetsTheFirstCommandsWhileTheOthersAreStillBeingWritten() {
        channel.writeInbound(40);
        assertThat(portionsDuringReplies).isEqualTo(2);
        assertThat(portions).isEqualTo(3);
        assertThat(channel.outboundMessages()).hasSize(40);
    }
}
