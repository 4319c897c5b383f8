package io.distributedlock.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.CompletionStage;

/**
 * Has the server say when somebody else changes a lock that was extended on this connection: once, and again after the next extension. The server
 * does so only for what the very next command reads, so what asks for it goes straight before that command.
 *
 * <p>Where the server does not know this, or the user may not ask for it, nobody asks again on this connection; holders then hear of a change at their
 * next renewal. A server that is only busy is asked again with the next extension.
 */
final class TrackingHandler extends ChannelOutboundHandlerAdapter {

    private volatile boolean begun;
    private volatile boolean refused;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (!refused && isTracked(message)) {
            if (!begun) {
                begun = true;
                client(context, "TRACKING", "ON", "OPTIN", "NOLOOP").whenComplete((ok, failure) -> {
                    begun = failure == null;
                    refused |= failure != null && isFinal(failure);
                });
            }
            client(context, "CACHING", "YES").whenComplete((ok, failure) -> {
                refused |= begun && failure != null && isFinal(failure);
            });
        }
        super.write(context, message, promise);
    }

    /** Errors of their own words come and go, such as that of a server that runs somebody's script. */
    private static boolean isFinal(Throwable failure) {
        String error = String.valueOf(failure.getMessage());
        return error.startsWith("ERR") || error.startsWith("NOPERM");
    }

    private static boolean isTracked(Object message) {
        return message instanceof RedisCommand<?, ?, ?> command
                && command.getArgs() instanceof ScriptArgs args
                && args.isTracked();
    }

    private static CompletionStage<String> client(ChannelHandlerContext context, String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        for (String word : words) {
            args.add(word);
        }
        AsyncCommand<String, String, String> command =
                new AsyncCommand<>(new Command<>(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), args));
        context.write(command);
        return command;
    }
}
