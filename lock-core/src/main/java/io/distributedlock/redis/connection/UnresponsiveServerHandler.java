package io.distributedlock.redis.connection;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose server says nothing: for three command timeouts while commands wait; or for 1.5 s, a slow
 * round trip, while it is to accept the connection, if an earlier one to the same server has ended.
 *
 * <p>What stands in between may have forgotten a connection that was idle, without telling either end. So a PING every
 * 10 s keeps an idle one from being forgotten, and a command that follows such a time may be unanswered for a third of
 * a command timeout only, which leaves time to repeat it on a new connection.
 *
 * <p>A server that hangs accepts connections, and one that has vanished does not even refuse them. Another one may have
 * taken its place, which is not looked for while this one is waited for.
 */
public final class UnresponsiveServerHandler extends ChannelDuplexHandler {

    private static final int MAX_SILENT_TICKS = 3;
    private static final Duration RETURN_LIMIT = Duration.ofMillis(1_500);
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ConnectionRegistry sessions;
    private final Duration commandTimeout;
    private final Queue<?> unanswered;
    private @Nullable Future<?> ticks;
    private boolean accepted;
    private boolean asked;
    private int silentTicks;

    /** Since a command was answered. */
    private int idleTicks;

    /** Since anything came. */
    private int quietTicks;

    /** A new connection is, until it has shown otherwise. */
    private boolean slow = true;

    private long reads;

    /** @param unanswered the commands that the server owes an answer, also if it is of no use any more */
    UnresponsiveServerHandler(ConnectionRegistry sessions, Duration commandTimeout, Queue<?> unanswered) {
        this.sessions = sessions;
        this.commandTimeout = commandTimeout;
        this.unanswered = unanswered;
    }

    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress server, @Nullable SocketAddress local, ChannelPromise promise)
            throws Exception {
        super.connect(context, server, local, promise);
        if (sessions.isLost(ConnectionIdentity.nameOf(server))) {
            long limit = RETURN_LIMIT.toNanos();
            context.executor().schedule(() -> closeUnlessAccepted(context), limit, NANOSECONDS);
        }
    }

    private void closeUnlessAccepted(ChannelHandlerContext context) {
        if (!accepted) {
            context.close();
        }
    }

    /** The driver announces a connection when the server has accepted its user. */
    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        accepted = true;
        long period = commandTimeout.toNanos();
        ticks = context.executor().scheduleAtFixedRate(() -> tick(context), period, period, NANOSECONDS);
        super.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (ticks != null) {
            ticks.cancel(false);
        }
        super.channelInactive(context);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        RedisCommand<?, ?, ?> first = firstOf(message);
        if (first == null || first.getType() != CommandType.PING) {
            if (first != null && !asked && (slow || isLong(idleTicks))) {
                lookSoon(context, first, isLong(idleTicks));
            }
            asked = true;
        }
        super.write(context, message, promise);
    }

    private static @Nullable RedisCommand<?, ?, ?> firstOf(Object message) {
        Object first = message instanceof Collection<?> several && !several.isEmpty()
                ? several.iterator().next()
                : message;
        return first instanceof RedisCommand<?, ?, ?> command ? command : null;
    }

    /**
     * In two steps, so that a pause of this process counts for one of them at most: what has arrived meanwhile is read
     * before the other. Where the last answer took as long, the connection is kept: it is only slow.
     */
    private void lookSoon(ChannelHandlerContext context, RedisCommand<?, ?, ?> command, boolean wasIdle) {
        long readsBefore = reads;
        long step = commandTimeout.toNanos() / 6;
        Runnable look = () -> {
            if (wasIdle && reads == readsBefore && !slow) {
                context.close();
            }
            slow = !command.isDone();
        };
        context.executor().schedule(() -> context.executor().schedule(look, step, NANOSECONDS), step, NANOSECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        quietTicks = 0;
        idleTicks = asked ? 0 : idleTicks;
        asked = false;
        reads++;
        silentTicks = 0;
        super.channelRead(context, message);
    }

    private void tick(ChannelHandlerContext context) {
        boolean waiting = !unanswered.isEmpty();
        silentTicks = waiting ? silentTicks + 1 : 0;
        idleTicks++;
        quietTicks++;
        if (!waiting && isLong(quietTicks)) {
            ping(context);
        }
        if (silentTicks > MAX_SILENT_TICKS) {
            context.close();
        }
    }

    /** An error is an answer, too, such as that of a user who may not do this. */
    private static void ping(ChannelHandlerContext context) {
        context.channel()
                .writeAndFlush(new AsyncCommand<>(
                        new Command<>(CommandType.PING, new StatusOutput<>(StringCodec.UTF8), null)));
    }

    private boolean isLong(int ticks) {
        return commandTimeout.multipliedBy(ticks).compareTo(IDLE) >= 0;
    }
}
