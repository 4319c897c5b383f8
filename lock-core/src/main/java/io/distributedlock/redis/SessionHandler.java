package io.distributedlock.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands in each connection before the driver's command handler, so that it acts before any command of a new connection and hears of its end
 * before any command fails.
 *
 * <p>On a new connection it first asks the server to drop the ended ones, by id and address together, so that no other client can be hit. Once
 * the server has answered, nothing of them can be executed any more. A connection on which the server is silent for three command timeouts,
 * with commands waiting, is closed.
 */
final class SessionHandler extends ChannelDuplexHandler {

    private static final int MAX_SILENT_TICKS = 3;

    private final Sessions sessions;
    private final Duration commandTimeout;
    private @Nullable Session session;
    private @Nullable Future<?> ticks;
    private boolean waiting;
    private int silentTicks;

    SessionHandler(Sessions sessions, Duration commandTimeout) {
        this.sessions = sessions;
        this.commandTimeout = commandTimeout;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        Session opened = new Session(String.valueOf(context.channel().remoteAddress()));
        session = opened;
        for (Session ended : sessions.doubtfulAt(opened.server())) {
            drop(context, ended);
        }
        client(context, new ValueOutput<>(StringCodec.UTF8), "INFO").thenAccept(opened::describedBy);
        long period = commandTimeout.toNanos();
        ticks = context.executor().scheduleAtFixedRate(() -> tick(context), period, period, TimeUnit.NANOSECONDS);
        super.channelActive(context);
        sessions.opened(context.executor());
    }

    private void drop(ChannelHandlerContext context, Session ended) {
        String id = ended.id();
        String address = ended.clientAddress();
        if (id != null && address != null) {
            client(context, new IntegerOutput<>(StringCodec.UTF8), "KILL", "ID", id, "ADDR", address)
                    .thenRun(() -> sessions.over(ended));
        }
    }

    private static <T> CompletionStage<T> client(
            ChannelHandlerContext context, CommandOutput<String, String, T> output, String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        for (String word : words) {
            args.add(word);
        }
        AsyncCommand<String, String, T> command = new AsyncCommand<>(new Command<>(CommandType.CLIENT, output, args));
        context.channel().writeAndFlush(command);
        return command;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        Session ended = session;
        if (ended != null) {
            session = null;
            sessions.ended(ended);
            context.executor()
                    .schedule(() -> sessions.over(ended), Sessions.FORGET_AFTER.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (ticks != null) {
            ticks.cancel(false);
        }
        super.channelInactive(context);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        waiting = true;
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        waiting = false;
        silentTicks = 0;
        super.channelRead(context, message);
    }

    private void tick(ChannelHandlerContext context) {
        silentTicks = waiting ? silentTicks + 1 : 0;
        if (silentTicks > MAX_SILENT_TICKS) {
            context.close();
        }
    }
}
