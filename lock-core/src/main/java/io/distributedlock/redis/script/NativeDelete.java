package io.distributedlock.redis.script;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command that deletes a key if it has a certain value. It costs the server a third of a script that does the same.
 */
public enum NativeDelete implements ProtocolKeyword {
    /** {@code DELIFEQ key value}, in Valkey since version 9.0. */
    DELIFEQ,
    /** {@code DELEX key IFEQ value}, in Redis since version 8.4. */
    DELEX,
    /** {@code CAD key value}, in Tair. */
    CAD;

    private static final Long NO_KEY = -1L;

    /**
     * Asks the server for one that it has; empty if it has none, or does not say. Fails if the server is not reached.
     */
    public static CompletionStage<Optional<NativeDelete>> of(BaseRedisAsyncCommands<String, String> commands) {
        CommandArgs<String, String> names = new CommandArgs<>(StringCodec.UTF8).add("INFO");
        for (NativeDelete each : values()) {
            names.add(each.name());
        }
        return commands.dispatch(CommandType.COMMAND, new NestedMultiOutput<>(StringCodec.UTF8), names)
                .thenApply(NativeDelete::known);
    }

    /** A command that the server has is described by a list that begins with its name. */
    private static Optional<NativeDelete> known(List<Object> answers) {
        return Stream.of(values())
                .filter(each -> answers.stream().anyMatch(each::isDescribedBy))
                .findFirst();
    }

    private boolean isDescribedBy(@Nullable Object answer) {
        return answer instanceof List<?> description
                && !description.isEmpty()
                && name().equalsIgnoreCase(String.valueOf(description.get(0)));
    }

    /** Deletes a lock if it has this value. Returns whether it had. */
    public CompletionStage<Boolean> delete(BaseRedisAsyncCommands<String, String> commands, String lock, String value) {
        CommandArgs<String, String> arguments = this == DELEX
                ? EncodedArguments.ofCommand(lock, "IFEQ", value)
                : EncodedArguments.ofCommand(lock, value);
        return commands.dispatch(this, new IntegerOutput<>(StringCodec.UTF8), arguments)
                .thenApply(NativeDelete::wasEqual);
    }

    /** What a command that compares replies; those of Tair tell a key that is not there from one with another value. */
    static boolean wasEqual(@Nullable Object reply) {
        return !NO_KEY.equals(reply) && RedisReplies.flag(reply);
    }

    @Override
    public byte[] getBytes() {
        return name().getBytes(StandardCharsets.US_ASCII);
    }
}
