package io.distributedlock.redis.connection;

import io.distributedlock.redis.script.LuaScript;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * All connections of one client, and those that have ended but may not be over for the server.
 *
 * <p>A server that hangs executes what it finds in its sockets when it goes on, in any order, also from connections
 * that we have closed. So a release on a new connection proves nothing about an acquire on an old one until the server
 * has dropped the old one: see {@link ConnectionRegistrationHandler}.
 */
public final class ConnectionRegistry implements NettyCustomizer {

    /** For so long something of an ended connection is expected, where the server may not be asked to drop it. */
    static final Duration FORGET_AFTER = Duration.ofSeconds(60);

    private static final int MAX_DOUBTFUL = 1_024;
    /** So few that the server has begun with the first commands while the others are still being written. */
    private static final int MAX_FLUSHES = 16;

    private final Queue<ConnectionIdentity> doubtful = new ConcurrentLinkedQueue<>();
    private final Set<ConnectionRegistrationHandler> open = ConcurrentHashMap.newKeySet();
    private final Set<String> lostServers = ConcurrentHashMap.newKeySet();
    private final List<Runnable> hooks = new CopyOnWriteArrayList<>();
    private final Duration commandTimeout;
    private final List<LuaScript> scripts;
    private volatile @Nullable EventExecutor loop;

    /** @param scripts that each server is to know before they are called */
    public ConnectionRegistry(Duration commandTimeout, List<LuaScript> scripts) {
        this.commandTimeout = commandTimeout;
        this.scripts = scripts;
    }

    /** This customizer behind one that is there already. */
    public NettyCustomizer after(NettyCustomizer first) {
        return new NettyCustomizer() {
            @Override
            public void afterBootstrapInitialized(io.netty.bootstrap.Bootstrap bootstrap) {
                first.afterBootstrapInitialized(bootstrap);
            }

            @Override
            public void afterChannelInitialized(Channel channel) {
                first.afterChannelInitialized(channel);
                ConnectionRegistry.this.afterChannelInitialized(channel);
            }
        };
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        consolidateFlushes(channel.pipeline());
        RedisHandshakeHandler handshake = channel.pipeline().get(RedisHandshakeHandler.class);
        ChannelHandlerContext commands = channel.pipeline().context(CommandHandler.class);
        if (commands != null && handshake != null) {
            channel.pipeline()
                    .addBefore(commands.name(), null, new FailedHandshakeHandler(handshake.channelInitialized()));
        }
        if (commands != null) {
            Queue<?> unanswered = ((CommandHandler) commands.handler()).getStack();
            channel.pipeline()
                    .addBefore(commands.name(), null, new UnresponsiveServerHandler(this, commandTimeout, unanswered))
                    .addBefore(commands.name(), null, new ConnectionRegistrationHandler(this));
        }
    }

    /** What many threads send in the same moment leaves in one write, encrypted as one where the connection is. */
    private static void consolidateFlushes(ChannelPipeline pipeline) {
        ChannelHandler consolidation = new FlushConsolidationHandler(MAX_FLUSHES, true);
        ChannelHandlerContext encryption = pipeline.context(SslHandler.class);
        if (encryption == null) {
            pipeline.addFirst(consolidation);
        } else {
            pipeline.addAfter(encryption.name(), null, consolidation);
        }
    }

    List<LuaScript> scripts() {
        return scripts;
    }

    public void onOpened(Runnable hook) {
        hooks.add(hook);
    }

    void opened(ConnectionRegistrationHandler connection, EventExecutor loop) {
        open.add(connection);
        this.loop = loop;
    }

    void closed(ConnectionRegistrationHandler connection) {
        open.remove(connection);
    }

    /** Whether a connection to this server that carried commands about locks has ended, and none was opened since. */
    boolean isLost(String server) {
        return lostServers.contains(server);
    }

    /** Scripts can be sent to this server, after they could not. */
    void reached(String server) {
        lostServers.remove(server);
        hooks.forEach(Runnable::run);
    }

    /**
     * Ends the connections that carry commands about locks, because the server at the other end is not the right one
     * any more.
     */
    public void dropUsed() {
        open.forEach(ConnectionRegistrationHandler::dropIfUsed);
    }

    /** The loop of the connection that was opened last. */
    @Nullable
    public EventExecutor loop() {
        return loop;
    }

    void ended(ConnectionIdentity session) {
        if (lostServers.size() < MAX_DOUBTFUL) {
            lostServers.add(session.server());
        }
        doubtful.add(session);
        if (doubtful.size() > MAX_DOUBTFUL) {
            doubtful.poll();
        }
    }

    void over(ConnectionIdentity session) {
        doubtful.remove(session);
    }

    /** The ended connections to a server that it may not have noticed yet. */
    List<ConnectionIdentity> doubtfulAt(String server) {
        return doubtful.stream()
                .filter(session -> session.server().equals(server))
                .toList();
    }

    /** Whether nothing that was sent on an ended connection can still be executed. */
    public boolean allOver() {
        return doubtful.isEmpty();
    }
}
