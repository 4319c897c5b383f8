package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SilenceHandlerTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    private final Sessions sessions = new Sessions(COMMAND_TIMEOUT);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private String server = "";

    @BeforeEach
    void open() {
        channel.freezeTime();
        channel.pipeline().addLast(new SilenceHandler(sessions, COMMAND_TIMEOUT), new SessionHandler(sessions));
        channel.pipeline().fireChannelActive();
        server = Session.nameOf(channel.remoteAddress());
        channel.writeInbound("answer");
    }

    @AfterEach
    void close() {
        channel.close();
    }

    private void sendScript() {
        channel.writeOutbound(new Command<>(CommandType.EVALSHA, new StatusOutput<>(StringCodec.UTF8), null));
    }

    private void pass(int commandTimeouts) {
        channel.advanceTimeBy(COMMAND_TIMEOUT.multipliedBy(commandTimeouts).toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void aServerThatStaysSilentIsLost() {
        sendScript();
        pass(3);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.isLost(server)).isTrue();
    }

    @Test
    void anAnswerEndsTheSilence() {
        sendScript();
        pass(3);
        channel.writeInbound("answer");
        pass(10);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aServerThatHasNothingToAnswerIsAllowedToBeSilent() {
        pass(10);
        assertThat(channel.isOpen()).isTrue();
    }
}
