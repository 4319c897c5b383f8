package io.distributedlock.redis.script;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What takes no script: it costs the server a third. */
public final class PlainCommands {

    private PlainCommands() {}

    /**
     * Takes a lock if no owner holds it. The server does not say which owner does, because who knows an owner can
     * release its lock.
     */
    public static CompletionStage<Boolean> setIfAbsent(
            BaseRedisAsyncCommands<String, String> commands, String lock, String owner, Duration ttl) {
        return set(commands, EncodedArguments.ofCommand(lock, owner, "NX", "PX", EncodedArguments.millis(ttl)));
    }

    /** @return whether the key was set */
    static CompletionStage<Boolean> set(
            BaseRedisAsyncCommands<String, String> commands, CommandArgs<String, String> arguments) {
        return commands.dispatch(CommandType.SET, new StatusOutput<>(StringCodec.UTF8), arguments)
                .thenApply(PlainCommands::wasSet);
    }

    private static boolean wasSet(@Nullable String reply) {
        if (reply != null && !reply.equals("OK")) {
            throw RedisReplies.unexpected();
        }
        return reply != null;
    }

    /** The value of a lock; empty if it is free. */
    public static CompletionStage<Optional<String>> value(
            BaseRedisAsyncCommands<String, String> commands, String lock) {
        return value(commands, CommandType.GET, lock);
    }

    static CompletionStage<Optional<String>> value(
            BaseRedisAsyncCommands<String, String> commands, CommandType get, String lock) {
        return commands.dispatch(get, new ValueOutput<>(StringCodec.UTF8), EncodedArguments.ofCommand(lock))
                .thenApply(Optional::ofNullable);
    }

    /** How many milliseconds a lock has left; -1 if it never expires, -2 if it is free. */
    public static CompletionStage<Long> millisLeft(BaseRedisAsyncCommands<String, String> commands, String lock) {
        return commands.dispatch(
                        CommandType.PTTL, new IntegerOutput<>(StringCodec.UTF8), EncodedArguments.ofCommand(lock))
                .thenApply(RedisReplies::number);
    }
}
