package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrackingHandlerTest {

    private final EmbeddedChannel connection = new EmbeddedChannel(new TrackingHandler());
    private final List<AsyncCommand<?, ?, ?>> sent = new ArrayList<>();

    private void extend() {
        send(true);
    }

    /** Sends a script, and notes all that leaves with it. */
    private void send(boolean tracked) {
        EncodedArguments arguments = new EncodedArguments(List.of("lock:{42}"), List.of("owner"));
        connection.writeOutbound(new AsyncCommand<>(new Command<>(
                CommandType.EVALSHA,
                new IntegerOutput<>(PlainText.CODEC),
                new ScriptArgs("digest", arguments, tracked))));
        sent.clear();
        for (Object each = connection.readOutbound(); each != null; each = connection.readOutbound()) {
            sent.add((AsyncCommand<?, ?, ?>) each);
        }
    }

    private List<String> words() {
        return sent.stream().map(TrackingHandlerTest::secondWord).toList();
    }

    private static String secondWord(AsyncCommand<?, ?, ?> command) {
        ByteBuf encoded = Unpooled.buffer();
        command.getArgs().encode(encoded);
        return encoded.toString(StandardCharsets.UTF_8).split("\r\n")[1];
    }

    private void answer(int place, String error) {
        sent.get(place).completeExceptionally(new RedisCommandExecutionException(error));
    }

    private void confirm() {
        sent.forEach(AsyncCommand::complete);
    }

    @Test
    void trackingBeginsWithTheFirstExtensionAndEachIsAnnounced() {
        extend();
        assertThat(words()).containsExactly("TRACKING", "CACHING", "digest");
        confirm();
        extend();
        assertThat(words()).containsExactly("CACHING", "digest");
    }

    @Test
    void otherScriptsAreLeftAlone() {
        send(false);
        assertThat(words()).containsExactly("digest");
    }

    @Test
    void whoMayNotTrackIsNotAskedAgain() {
        extend();
        answer(0, "NOPERM this user has no permissions to run the 'client|tracking' command");
        extend();
        assertThat(words()).containsExactly("digest");
    }

    @Test
    void whoMayNotAnnounceIsNotAskedAgain() {
        extend();
        sent.get(0).complete();
        answer(1, "NOPERM this user has no permissions to run the 'client|caching' command");
        extend();
        assertThat(words()).containsExactly("digest");
    }

    @Test
    void aServerThatDoesNotKnowTrackingIsNotAskedAgain() {
        extend();
        answer(0, "ERR Unknown subcommand or wrong number of arguments for 'TRACKING'");
        extend();
        assertThat(words()).containsExactly("digest");
    }

    @Test
    void aBusyServerIsAskedAgain() {
        extend();
        answer(0, "BUSY Redis is busy running a script");
        answer(1, "ERR CLIENT CACHING can be called only when the client is in tracking mode");
        extend();
        assertThat(words()).containsExactly("TRACKING", "CACHING", "digest");
    }
}
