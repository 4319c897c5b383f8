package io.distributedlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailedHandshakeHandlerTest {

    private final CompletableFuture<Void> handshake = new CompletableFuture<>();
    private final List<String> passedOn = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    FailedHandshakeHandlerTest() {
        channel.pipeline().addLast(new FailedHandshakeHandler(handshake), new ChannelInboundHandlerAdapter() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                passedOn.add("opened");
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                passedOn.add("ended");
            }
        });
    }

    @AfterEach
    void close() {
        channel.close();
    }

    private void announce() {
        channel.pipeline().fireChannelActive();
    }

    private void end() {
        channel.pipeline().fireChannelInactive();
    }

    private void fail() {
        handshake.completeExceptionally(new IllegalStateException("WRONGPASS"));
    }

    @Test
    void theEndOfAnOpenConnectionIsPassedOn() {
        announce();
        handshake.complete(null);
        end();
        assertThat(passedOn).containsExactly("opened", "ended");
    }

    @Test
    void theEndAfterAFailedHandshakeIsNotPassedOn() {
        fail();
        end();
        assertThat(passedOn).isEmpty();
    }

    @Test
    void theEndIsPassedOnIfNoFailureTellsTheDriverOfIt() {
        end();
        assertThat(passedOn).containsExactly("ended");
    }

    /** Its answer may arrive on another thread than its end. */
    @Test
    void theEndIsPassedOnIfItComesBetweenTheHandshakeAndItsAnnouncement() {
        handshake.complete(null);
        end();
        assertThat(passedOn).containsExactly("ended");
    }

    /** Its last commands were cancelled, which counts as if they had been answered. */
    @Test
    void aHandshakeThatSucceedsAfterItHasFailedAnnouncesNothing() {
        fail();
        end();
        announce();
        assertThat(passedOn).isEmpty();
    }

    @Test
    void aConnectionThatIsAnnouncedAfterItsEndEndsOnceMore() {
        end();
        announce();
        assertThat(passedOn).containsExactly("ended", "opened", "ended");
    }

    @Test
    void theEndOfAnAnnouncedConnectionIsPassedOnAlsoIfItsHandshakeTimedOutThen() {
        announce();
        fail();
        end();
        assertThat(passedOn).containsExactly("opened", "ended");
    }
}
