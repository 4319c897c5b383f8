package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SilenceHandlerTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);
    private static final String TROUBLED = "troubled";
    private static final String RELIEVED = "relieved";

    private final List<String> heard = new ArrayList<>();
    private final Sessions sessions = new Sessions(COMMAND_TIMEOUT);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private String server = "";

    @BeforeEach
    void open() {
        sessions.tell(new Notes());
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

    private void send(ProtocolKeyword type) {
        channel.writeOutbound(new Command<>(type, new StatusOutput<>(StringCodec.UTF8), null));
    }

    private void pass(int commandTimeouts) {
        channel.advanceTimeBy(COMMAND_TIMEOUT.multipliedBy(commandTimeouts).toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void aServerThatLeavesLocksUnansweredIsInTroubleBeforeItIsLost() {
        send(CommandType.EVALSHA);
        pass(1);
        assertThat(heard).isEmpty();
        pass(1);
        assertThat(heard).containsExactly(TROUBLED);
        assertThat(sessions.isTroubled(server)).isTrue();
        assertThat(sessions.isLost(server)).isFalse();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void anAnswerEndsTheTrouble() {
        send(CommandType.EVALSHA);
        pass(2);
        channel.writeInbound("answer");
        assertThat(heard).containsExactly(TROUBLED, RELIEVED);
        assertThat(sessions.isTroubled(server)).isFalse();
        sessions.goElsewhere();
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aSilentServerIsLeftWhenThereIsABetterPlace() {
        send(CommandType.EVALSHA);
        pass(2);
        sessions.goElsewhere();
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(heard).doesNotContain(RELIEVED);
        assertThat(sessions.isLost(server)).isTrue();
    }

    @Test
    void aServerThatStaysSilentIsLost() {
        send(CommandType.EVALSHA);
        pass(4);
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.isLost(server)).isTrue();
    }

    @Test
    void aServerThatNobodyAsksIsAllowedToBeSilent() {
        send(CommandType.EVALSHA);
        channel.writeInbound("answer");
        pass(10);
        assertThat(heard).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void theSilenceOfAConnectionThatCarriesNoLocksIsNoTrouble() {
        send(Inquiry.INFO);
        pass(2);
        assertThat(heard).isEmpty();
        assertThat(sessions.isTroubled(server)).isFalse();
    }

    private final class Notes implements Lookout {

        @Override
        public void troubled() {
            heard.add(TROUBLED);
        }

        @Override
        public void relieved() {
            heard.add(RELIEVED);
        }

        @Override
        public void close() {}
    }
}
