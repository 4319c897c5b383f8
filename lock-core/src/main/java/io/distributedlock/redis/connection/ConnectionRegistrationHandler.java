package io.distributedlock.redis.connection;

import io.distributedlock.redis.script.LuaScript;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
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
 * Stands in each connection before the driver's command handler, so that it acts before any command of a new connection
 * and is notified of its end before any command fails that was written.
 *
 * <p>On a new connection it first asks the server to drop the ended ones, by id and address together, so that no other
 * client can be hit. Once the server has answered, nothing of them can be executed any more. Only connections that
 * carried commands about locks count.
 *
 * <p>Then it has the server load the scripts, so that many clients that come back at once do not send the texts with
 * each call.
 */
final class ConnectionRegistrationHandler extends ChannelDuplexHandler {

    private static final Duration SETTLING = Duration.ofMillis(20);

    /** Between two tries to load the scripts. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** The commands that can take a lock, or change one: what the server does with them late has to be awaited. */
    private static final Set<String> LOCKING = Set.of("EVAL", "EVALSHA", "SET", "DELIFEQ", "DELEX", "CAD", "CAS");

    /** What the driver sends on connections of its own, to find out where the nodes are. */
    private static final Set<String> SERVICES = Set.of("CLUSTER", "SENTINEL");

    private final ConnectionRegistry sessions;
    private volatile @Nullable ConnectionIdentity session;
    private volatile @Nullable ChannelHandlerContext context;
    private boolean announced;
    private boolean service;

    ConnectionRegistrationHandler(ConnectionRegistry sessions) {
        this.sessions = sessions;
    }

    /** The server has accepted the connection and its user. */
    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        ConnectionIdentity opened = new ConnectionIdentity(
                ConnectionIdentity.nameOf(context.channel().remoteAddress()));
        session = opened;
        for (ConnectionIdentity ended : sessions.doubtfulAt(opened.server())) {
            drop(context, ended);
        }
        send(context, CommandType.CLIENT, new ValueOutput<>(StringCodec.UTF8), "INFO")
                .thenAccept(opened::describedBy);
        super.channelActive(context);
        this.context = context;
        sessions.opened(this, context.executor());
        if (sessions.isLost(opened.server())) {
            announce(context, opened);
        } else {
            long settling = SETTLING.toNanos();
            context.executor().schedule(() -> announceUnlessService(context, opened), settling, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * The first command about a lock may come sooner. A connection that only looks for nodes does not show that they
     * can be sent.
     */
    private void announceUnlessService(ChannelHandlerContext context, ConnectionIdentity opened) {
        if (!service) {
            announceUnlessOver(context, opened);
        }
    }

    private void announceUnlessOver(ChannelHandlerContext context, ConnectionIdentity opened) {
        if (session == opened) {
            announce(context, opened);
        }
    }

    private void announce(ChannelHandlerContext context, ConnectionIdentity opened) {
        if (!announced) {
            announced = true;
            sessions.scripts().forEach(script -> load(context, opened, script));
            sessions.reached(opened.server());
        }
    }

    /**
     * A server that is loading or busy is asked again; one that refuses gets the text of a script with its first call.
     */
    private void load(ChannelHandlerContext context, ConnectionIdentity opened, LuaScript script) {
        if (session != opened) {
            return;
        }
        send(context, CommandType.SCRIPT, new StatusOutput<>(StringCodec.UTF8), "LOAD", script.text())
                .exceptionally(failure -> {
                    if (failure instanceof RedisLoadingException || failure instanceof RedisBusyException) {
                        Runnable again = () -> load(context, opened, script);
                        context.executor().schedule(again, PAUSE.toNanos(), TimeUnit.NANOSECONDS);
                    }
                    return null;
                });
    }

    private void drop(ChannelHandlerContext context, ConnectionIdentity ended) {
        String id = ended.id();
        String address = ended.clientAddress();
        if (id != null && address != null) {
            IntegerOutput<String, String> killed = new IntegerOutput<>(StringCodec.UTF8);
            send(context, CommandType.CLIENT, killed, "KILL", "ID", id, "ADDR", address)
                    .thenRun(() -> sessions.over(ended));
        }
    }

    private static <T> CompletionStage<T> send(
            ChannelHandlerContext context, CommandType type, CommandOutput<String, String, T> output, String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        for (String word : words) {
            args.add(word);
        }
        AsyncCommand<String, String, T> command = new AsyncCommand<>(new Command<>(type, output, args));
        context.channel().writeAndFlush(command);
        return command;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        ConnectionIdentity ended = session;
        if (ended != null) {
            session = null;
            end(context, ended);
        }
        super.channelInactive(context);
    }

    private void end(ChannelHandlerContext context, ConnectionIdentity ended) {
        sessions.closed(this);
        if (ended.isUsed()) {
            sessions.ended(ended);
            context.executor()
                    .schedule(
                            () -> sessions.over(ended),
                            ConnectionRegistry.FORGET_AFTER.toNanos(),
                            TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        ConnectionIdentity current = session;
        if (current != null && !current.isUsed()) {
            note(context, current, message);
        }
        super.write(context, message, promise);
    }

    private void note(ChannelHandlerContext context, ConnectionIdentity current, Object message) {
        if (message instanceof Collection<?> several) {
            several.forEach(each -> note(context, current, each));
        } else if (message instanceof RedisCommand<?, ?, ?> command) {
            String type = String.valueOf(command.getType());
            service |= SERVICES.contains(type);
            if (LOCKING.contains(type)) {
                current.use();
                // Not now: commands of a hook would overtake this one, but not its place among the replies.
                context.executor().execute(() -> announceUnlessOver(context, current));
            }
        }
    }

    /** Whether it carries commands about locks. */
    boolean isUsed() {
        ConnectionIdentity current = session;
        return current != null && current.isUsed();
    }

    void dropIfUsed() {
        ChannelHandlerContext present = context;
        if (present != null && isUsed()) {
            present.close();
        }
    }
}
