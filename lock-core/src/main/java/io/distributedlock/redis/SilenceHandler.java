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
 * Closes a connection whose server says nothing: for three command timeouts while commands wait; or for 1.5 s, a slow round trip, while it is to accept the
 * connection, if an earlier one to the same server has ended.
 *
 * <p>A server that hangs accepts connections, and one that has vanished does not even refuse them. Another one may have taken its place, which is
 * not looked for while this one is waited for.
 */
final class SilenceHandler extends ChannelDuplexHandler {

    private static final int MAX_SILENT_TICKS = 3;
    private static final Duration RETURN_LIMIT = Duration.ofMillis(1_500);

    private final Sessions sessions;
    private final Duration commandTimeout;
    private @Nullable Future<?> ticks;
    private boolean accepted;
    private boolean waiting;
    private int silentTicks;

    SilenceHandler(Sessions sessions, Duration commandTimeout) {
        this.sessions = sessions;
        this.commandTimeout = commandTimeout;
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
        if (silentTicks > MAX_SILENT_TICKS) {
            context.close();
        }
    }
}
