package io.distributedlock.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose server says nothing: for three command timeouts, and 2 s at least, while commands wait; or for a second while it is to accept the
 * connection, if an earlier one to the same server has ended.
 *
 * <p>A server that hangs accepts connections, and one that has vanished does not even refuse them. Another one may have taken its place, which is
 * not looked for while this one is waited for.
 */
final class SilenceHandler extends ChannelDuplexHandler {

    private static final int MIN_SILENT_TICKS = 3;
    /** A line may be so slow, and nobody gains by ending its connections again and again. */
    private static final Duration LONGEST_ROUND_TRIP = Duration.ofSeconds(2);

    private static final Duration RETURN_LIMIT = Duration.ofSeconds(1);

    private final Sessions sessions;
    private final Duration commandTimeout;
    private final int maxSilentTicks;
    private @Nullable Future<?> ticks;
    private boolean accepted;
    private boolean waiting;
    private int silentTicks;

    SilenceHandler(Sessions sessions, Duration commandTimeout) {
        this.sessions = sessions;
        this.commandTimeout = commandTimeout;
        this.maxSilentTicks = Math.max(MIN_SILENT_TICKS, Math.toIntExact(LONGEST_ROUND_TRIP.dividedBy(commandTimeout)));
    }

    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress server, @Nullable SocketAddress local, ChannelPromise promise)
            throws Exception {
        super.connect(context, server, local, promise);
        if (sessions.isLost(Session.nameOf(server))) {
            long limit = RETURN_LIMIT.toNanos();
            context.executor().schedule(() -> closeUnlessAccepted(context), limit, TimeUnit.NANOSECONDS);
        }
    }

    private void closeUnlessAccepted(ChannelHandlerContext context) {
        if (!accepted) {
            context.close();
        }
    }

    /** The driver tells of a connection when the server has accepted its user. */
    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        accepted = true;
        long period = commandTimeout.toNanos();
        ticks = context.executor().scheduleAtFixedRate(() -> tick(context), period, period, TimeUnit.NANOSECONDS);
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
        if (silentTicks > maxSilentTicks) {
            context.close();
        }
    }
}
