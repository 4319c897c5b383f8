package io.distributedlock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a script's call is sent as: the same that the driver makes of its arguments one by one. */
class EncodedArgumentsTest {

    private static final List<String> KEYS = List.of("lock:{42}", "lock:{Über:日本:\uD83D\uDD12}");
    private static final List<String> ARGS = List.of("owner", "30000", "", "x".repeat(12_345));

    private static CommandArgs<String, String> call() {
        return new EncodedArguments(KEYS, ARGS).of("digest");
    }

    private static CommandArgs<String, String> oneByOne() {
        return new CommandArgs<>(StringCodec.UTF8)
                .add("digest")
                .add(KEYS.size())
                .addKeys(KEYS)
                .addValues(ARGS);
    }

    private static String sent(CommandArgs<String, String> args) {
        ByteBuf target = Unpooled.buffer();
        new Command<>(CommandType.EVALSHA, new IntegerOutput<>(StringCodec.UTF8), args).encode(target);
        return target.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aCallIsWrittenAsTheDriverWritesIt() {
        assertThat(sent(call())).isEqualTo(sent(oneByOne()));
    }

    @Test
    void aCallCanBeSentAgainToAnotherNode() {
        CommandArgs<String, String> args = call();
        assertThat(sent(args)).isEqualTo(sent(args));
    }

    @Test
    void aClusterFindsTheNodeByTheFirstKey() {
        assertThat(call().getFirstEncodedKey()).isEqualTo(oneByOne().getFirstEncodedKey());
    }

    @Test
    void ownersDoNotAppearInTheTextOfACall() {
        assertThat(call().toCommandString()).doesNotContain("owner");
    }
}
