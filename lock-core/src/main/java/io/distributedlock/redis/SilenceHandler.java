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
 * connection, if an earlier one to the same server has ended or is silent. One that carries locks is reported as silent after one command timeout.
 *
 * <p>A server that hangs accepts connections, and one that has vanished does not even refuse them. Another one may have taken its place, which is
 * not looked for while this one is waited for.
 */
final class SilenceHandler extends ChannelDuplexHandler {

    private static final int SUSPICIOUS_TICKS = 2;
    private static final int MAX_SILENT_TICKS = 3;
    private static final Duration RETURN_LIMIT = Duration.ofMillis(1_500);

    private final Sessions sessions;
    private final Duration commandTimeout;
    private @Nullable Future<?> ticks;
    private volatile @Nullable ChannelHandlerContext knockingAt;
    private volatile @Nullable ChannelHandlerContext silentAt;
    private volatile boolean troubled;
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
        knockingAt = context;
        troubled = sessions.isTroubled(Session.nameOf(server));
        sessions.knocks(this);
        if (troubled) {
            long limit = RETURN_LIMIT.toNanos();
            context.executor().schedule(() -> closeUnlessAccepted(context), limit, TimeUnit.NANOSECONDS);
        }
    }

    /** Whether it waits for a server that locks can't count on now. */
    boolean isInTrouble() {
        return troubled;
    }

    void giveUp() {
        ChannelHandlerContext context = knockingAt;
        if (context != null) {
            context.executor().execute(() -> closeUnlessAccepted(context));
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        sessions.knocked(this);
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
        sessions.knocked(this);
        long period = commandTimeout.toNanos();
        ticks = context.executor().scheduleAtFixedRate(() -> tick(context), period, period, TimeUnit.NANOSECONDS);
        super.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (ticks != null) {
            ticks.cancel(false);
        }
        sessions.gone(this);
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
        if (silentTicks >= SUSPICIOUS_TICKS) {
            sessions.answers(this);
        }
        silentTicks = 0;
        super.channelRead(context, message);
    }

    private void tick(ChannelHandlerContext context) {
        silentTicks = waiting ? silentTicks + 1 : 0;
        if (silentTicks > MAX_SILENT_TICKS) {
            context.close();
        } else if (silentTicks == SUSPICIOUS_TICKS && carriesLocks(context)) {
            silentAt = context;
            sessions.silent(this, Session.nameOf(context.channel().remoteAddress()));
        }
    }

    private static boolean carriesLocks(ChannelHandlerContext context) {
        SessionHandler session = context.pipeline().get(SessionHandler.class);
        return session != null && session.isUsed();
    }

    /** Does not wait for the end of the silence. */
    void leave() {
        ChannelHandlerContext context = silentAt;
        if (context != null) {
            context.executor().execute(() -> closeIfSilent(context));
        }
    }

    private void closeIfSilent(ChannelHandlerContext context) {
        if (silentTicks >= SUSPICIOUS_TICKS) {
            context.close();
        }
    }
}
