package io.distributedlock.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands in each connection before the driver's command handler, so that it acts before any command of a new connection and hears of its end
 * before any command fails.
 *
 * <p>On a new connection it first asks the server to drop the ended ones, by id and address together, so that no other client can be hit. Once
 * the server has answered, nothing of them can be executed any more. Only connections that carried scripts count.
 */
final class SessionHandler extends ChannelDuplexHandler {

    private static final Duration SETTLING = Duration.ofMillis(20);

    private static final Set<String> SCRIPTS = Set.of("EVAL", "EVALSHA");

    /** What the driver sends on connections of its own, to find out where the nodes are. */
    private static final Set<String> SERVICES = Set.of("CLUSTER", "SENTINEL");

    private final Sessions sessions;
    private volatile @Nullable Session session;
    private volatile @Nullable ChannelHandlerContext context;
    private boolean announced;
    private boolean service;

    SessionHandler(Sessions sessions) {
        this.sessions = sessions;
    }

    /** The server has accepted the connection and its user. */
    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        Session opened = new Session(Session.nameOf(context.channel().remoteAddress()));
        session = opened;
        for (Session ended : sessions.doubtfulAt(opened.server())) {
            drop(context, ended);
        }
        client(context, new ValueOutput<>(StringCodec.UTF8), "INFO").thenAccept(opened::describedBy);
        super.channelActive(context);
        this.context = context;
        sessions.opened(this, context.executor());
        if (sessions.isLost(opened.server())) {
            announce(opened);
        } else {
            long settling = SETTLING.toNanos();
            context.executor().schedule(() -> announceUnlessService(opened), settling, TimeUnit.NANOSECONDS);
        }
    }

    /** The first script may come sooner; and one that carries other commands looks for nodes, and says nothing of where scripts can be sent. */
    private void announceUnlessService(Session opened) {
        if (!service) {
            announceUnlessOver(opened);
        }
    }

    private void announceUnlessOver(Session opened) {
        if (session == opened) {
            announce(opened);
        }
    }

    private void announce(Session opened) {
        if (!announced) {
            announced = true;
            sessions.reached(opened.server());
        }
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
            end(context, ended);
        }
        super.channelInactive(context);
    }

    private void end(ChannelHandlerContext context, Session ended) {
        sessions.closed(this);
        if (ended.isUsed()) {
            sessions.ended(ended);
            context.executor()
                    .schedule(() -> sessions.over(ended), Sessions.FORGET_AFTER.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        Session current = session;
        if (current != null && !current.isUsed()) {
            note(context, current, message);
        }
        super.write(context, message, promise);
    }

    private void note(ChannelHandlerContext context, Session current, Object message) {
        if (message instanceof Collection<?> several) {
            several.forEach(each -> note(context, current, each));
        } else if (message instanceof RedisCommand<?, ?, ?> command) {
            String type = String.valueOf(command.getType());
            service |= SERVICES.contains(type);
            if (SCRIPTS.contains(type)) {
                current.use();
                // Not now: whoever hears of it may send commands, which would overtake this one, but not its place
                // among the replies.
                context.executor().execute(() -> announceUnlessOver(current));
            }
        }
    }

    /** Whether it carries scripts. */
    boolean isUsed() {
        Session current = session;
        return current != null && current.isUsed();
    }

    void dropIfUsed() {
        ChannelHandlerContext present = context;
        if (present != null && isUsed()) {
            present.close();
        }
    }
}
