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
 * <p>A server or user that can't is not asked again on this connection; holders then hear of it at their next renewal.
 */
final class TrackingHandler extends ChannelOutboundHandlerAdapter {

    private boolean begun;
    private volatile boolean refused;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (!refused && isTracked(message)) {
            if (!begun) {
                begun = true;
                client(context, "TRACKING", "ON", "OPTIN", "NOLOOP").exceptionally(this::refused);
            }
            client(context, "CACHING", "YES").exceptionally(this::refused);
        }
        super.write(context, message, promise);
    }

    private static boolean isTracked(Object message) {
        return message instanceof RedisCommand<?, ?, ?> command
                && command.getArgs() instanceof ScriptArgs args
                && args.isTracked();
    }

    private String refused(Throwable why) {
        refused = true;
        return String.valueOf(why.getMessage());
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
