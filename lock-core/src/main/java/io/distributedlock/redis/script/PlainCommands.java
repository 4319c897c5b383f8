package io.distributedlock.redis.script;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
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
        EncodedArguments arguments = EncodedArguments.ofCommand(lock, owner, "NX", "PX", EncodedArguments.millis(ttl));
        return commands.dispatch(
                        CommandType.SET, new StatusOutput<>(StringCodec.UTF8), new EncodedArgs(null, arguments))
                .thenApply(PlainCommands::wasSet);
    }

    private static boolean wasSet(@Nullable String reply) {
        if (reply != null && !reply.equals("OK")) {
            throw RedisReplies.unexpected();
        }
        return reply != null;
    }
}
