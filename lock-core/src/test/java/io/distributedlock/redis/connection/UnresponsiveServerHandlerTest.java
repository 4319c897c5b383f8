package io.distributedlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnresponsiveServerHandlerTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    private final Queue<Object> unanswered = new ArrayDeque<>();
    private final ConnectionRegistry sessions = new ConnectionRegistry(COMMAND_TIMEOUT, List.of());
    private EmbeddedChannel channel = new EmbeddedChannel();
    private String server = "";

    @BeforeEach
    void openWhereAnswersComeQuickly() {
        open();
        answer();
        passASixth();
        passASixth();
    }

    private void open() {
        channel.close();
        channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline()
                .addLast(
                        new UnresponsiveServerHandler(sessions, COMMAND_TIMEOUT, unanswered),
                        new ConnectionRegistrationHandler(sessions),
                        new ChannelOutboundHandlerAdapter() {
                            @Override
                            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                                unanswered.add(message);
                                context.write(message, promise);
                            }
                        });
        channel.pipeline().fireChannelActive();
        server = ConnectionIdentity.nameOf(channel.remoteAddress());
    }

    @AfterEach
    void close() {
        channel.close();
    }

    private void sendScript() {
        channel.writeOutbound(new Command<>(CommandType.EVALSHA, new StatusOutput<>(StringCodec.UTF8), null));
    }

    private void answer() {
        sent().forEach(RedisCommand::complete);
        unanswered.clear();
        channel.writeInbound("answer");
    }

    private Stream<RedisCommand<?, ?, ?>> sent() {
        channel.flushOutbound();
        return Stream.<RedisCommand<?, ?, ?>>generate(channel::readOutbound).takeWhile(Objects::nonNull);
    }

    private void pass(int commandTimeouts) {
        channel.advanceTimeBy(COMMAND_TIMEOUT.multipliedBy(commandTimeouts).toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    private void passASixth() {
        channel.advanceTimeBy(COMMAND_TIMEOUT.toNanos() / 6 + 1, TimeUnit.NANOSECONDS);
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
        answer();
        pass(10);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aServerThatAnswersSomeCommandsAndThenStaysSilentIsLost() {
        sendScript();
        sendScript();
        unanswered.remove();
        channel.writeInbound("the first answer");
        pass(3);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    /** The driver sends such a command to another server, and it is not done until that has answered. */
    @Test
    void aServerThatHasRedirectedItsLastCommandIsAllowedToBeSilent() {
        sendScript();
        unanswered.clear();
        channel.writeInbound("a redirection");
        pass(10);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aServerThatHasNothingToAnswerIsAllowedToBeSilent() {
        pass(10);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aConnectionThatWasIdleIsGivenUpBeforeItsCommandHasTakenTooLong() {
        pass(20);
        sendScript();
        passASixth();
        assertThat(channel.isOpen()).isTrue();
        passASixth();
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.isLost(server)).isTrue();
    }

    @Test
    void aConnectionThatWasIdleIsKeptWhereAnswersAlwaysTakeAsLong() {
        open();
        passASixth();
        passASixth();
        answer();
        pass(20);
        sendScript();
        passASixth();
        passASixth();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aConnectionThatWasIdleIsKeptWhenItsCommandIsAnswered() {
        pass(20);
        sendScript();
        answer();
        sendScript();
        passASixth();
        passASixth();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aServerThatIsSilentWhileItIsAskedHasNotForgottenItsConnection() {
        pass(19);
        sendScript();
        pass(2);
        sendScript();
        passASixth();
        passASixth();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void anIdleConnectionIsPingedEveryTenSecondsAndGivenUpIfThatIsNotAnswered() {
        assertThat(pings(19)).isZero();
        assertThat(pings(1)).isEqualTo(1);
        answer();
        assertThat(pings(19)).isZero();
        assertThat(pings(1)).isEqualTo(1);
        assertThat(pings(3)).isZero();
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aCommandBehindAPingThatIsNotAnsweredFindsAnIdleConnection() {
        assertThat(pings(20)).isEqualTo(1);
        sendScript();
        passASixth();
        passASixth();
        assertThat(channel.isOpen()).isFalse();
    }

    /** How many were sent while so many command timeouts passed. */
    private long pings(int commandTimeouts) {
        pass(commandTimeouts);
        return sent().filter(command -> command.getType() == CommandType.PING).count();
    }
}
