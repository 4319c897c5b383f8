package io.distributedlock.redis;

import io.distributedlock.redis.connection.ConnectionRegistry;
import io.distributedlock.redis.connection.SharedEventLoops;
import io.distributedlock.redis.connection.UnresponsiveServerHandler;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ClientOptions.ReauthenticateBehavior;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The driver settings that the lock protocol depends on, derived from those of an application.
 *
 * <p>A command that was in flight when its connection broke must fail rather than be sent again: a replayed acquire
 * would be answered "held", although it is held by ourselves. A reply that comes late must still reach us, so the
 * driver has no time limit of its own, which would cost a timer for each command: the lock client stops waiting by
 * itself, and {@link UnresponsiveServerHandler} ends a connection on which nothing is answered. Locks get event loops
 * of their own, so that no application code on the application's loops can delay a renewal.
 */
public final class LockClientOptions implements AutoCloseable {

    private static final int MAX_REQUESTS = 65_536;
    private static final int EVENT_LOOPS = 2;
    private static final Duration TIMER_STEP = Duration.ofMillis(10);
    private static final Duration MIN_RECONNECT_DELAY = Duration.ofMillis(10);
    private static final Duration MAX_RECONNECT_DELAY = Duration.ofMillis(100);
    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(30);

    private static final Duration REFRESH_PAUSE = Duration.ofSeconds(2);

    private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration QUIET_EXTRA = Duration.ofMillis(200);

    private static final Duration KEEP_ALIVE_PERIOD = Duration.ofSeconds(13);
    private static final KeepAliveOptions KEEP_ALIVE = KeepAliveOptions.builder()
            .enable()
            .idle(KEEP_ALIVE_PERIOD)
            .interval(KEEP_ALIVE_PERIOD)
            .count(3)
            .build();

    /** The driver's own timer works in steps of 100 ms, and every reconnect would wait for one. */
    private final Timer timer = new HashedWheelTimer(
            new DefaultThreadFactory("distributed-lock-driver-timer", true),
            TIMER_STEP.toMillis(),
            TimeUnit.MILLISECONDS);

    private final EventLoopGroupProvider loops = new SharedEventLoops(EVENT_LOOPS);
    private final ConnectionRegistry sessions;
    private final Duration commandTimeout;

    private @Nullable ClientResources resources;

    LockClientOptions(ConnectionRegistry sessions, Duration commandTimeout) {
        this.sessions = sessions;
        this.commandTimeout = commandTimeout;
    }

    /**
     * How long opening a connection may take, with name resolution, TLS and authentication: at least three seconds,
     * however short commands are. Meant as the client's default timeout.
     */
    public Duration connectTimeout() {
        return commandTimeout.compareTo(MIN_CONNECT_TIMEOUT) > 0 ? commandTimeout : MIN_CONNECT_TIMEOUT;
    }

    /**
     * The same credentials, but an answer that does not come within that time is a failure. The driver waits for it
     * without a limit, with the thread that opens the connection.
     */
    public RedisCredentialsProvider limited(RedisCredentialsProvider provider) {
        return provider instanceof ImmediateRedisCredentialsProvider
                ? provider
                : new LimitedCredentials(provider, connectTimeout());
    }

    /**
     * The given options, with what locks need in place of what they had. Those of a cluster client stay such, and look
     * for the nodes anew as soon as one of them can't be reached or says that it is the wrong one.
     */
    public ClientOptions options(ClientOptions base) {
        return base instanceof ClusterClientOptions cluster ? clusterOptions(cluster) : safe(base);
    }

    private ClientOptions clusterOptions(ClusterClientOptions base) {
        ClusterTopologyRefreshOptions quick = ClusterTopologyRefreshOptions.builder()
                .enableAllAdaptiveRefreshTriggers()
                .adaptiveRefreshTriggersTimeout(REFRESH_PAUSE)
                .refreshTriggersReconnectAttempts(1)
                .enablePeriodicRefresh(REFRESH_PERIOD)
                .build();
        return ClusterClientOptions.builder(safe(base))
                .maxRedirects(base.getMaxRedirects())
                .validateClusterNodeMembership(base.isValidateClusterNodeMembership())
                .nodeFilter(base.getNodeFilter())
                .topologyRefreshOptions(quick)
                .build();
    }

    /**
     * Credentials that a provider streams are used at once. With the old protocol the driver can't do that on a
     * connection for messages, and refuses to open one.
     */
    private ClientOptions safe(ClientOptions base) {
        boolean live = base.getConfiguredProtocolVersion() != ProtocolVersion.RESP2;
        return base.mutate()
                .reauthenticateBehavior(
                        live ? ReauthenticateBehavior.ON_NEW_CREDENTIALS : ReauthenticateBehavior.DEFAULT)
                .autoReconnect(true)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(LockClientOptions::failsInsteadOfBeingSentAgain)
                .requestQueueSize(MAX_REQUESTS)
                .suspendReconnectOnProtocolFailure(false)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(socketOptions(base.getSocketOptions()))
                .build();
    }

    /**
     * The driver drops a command that this filter keeps from being sent again, because it could not be written, and
     * says so to no one: its caller would never get an answer, and after eight of them no lease would be extended any
     * more. The driver may hold a lock of its own here; a callback that sends again can't meet it, because a connection
     * that is down rejects commands.
     */
    private static boolean failsInsteadOfBeingSentAgain(RedisCommand<?, ?, ?> command) {
        command.completeExceptionally(new RedisException("The connection broke while the command was being sent"));
        return true;
    }

    /** An application's times are kept. Without any, keep-alive would have those of the system, which are hours. */
    private SocketOptions socketOptions(SocketOptions base) {
        SocketOptions.Builder options = base.mutate().connectTimeout(connectTimeout());
        KeepAliveOptions present = base.getKeepAlive();
        boolean hasTimes = present.isEnabled()
                && !present.getIdle().equals(KeepAliveOptions.builder().build().getIdle());
        return options.keepAlive(hasTimes ? present : KEEP_ALIVE).build();
    }

    /**
     * The given resources, but with event loops and a timer of our own, a quick reconnect, and an eye on every
     * connection. What is shared with the given ones is named once more, because the builder takes only named parts for
     * shared, and ends the others together with the result.
     */
    public ClientResources resources(ClientResources base) {
        resources = base.mutate()
                .eventLoopGroupProvider(loops)
                .eventExecutorGroup(base.eventExecutorGroup())
                .timer(timer)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .reconnectDelay(Delay.equalJitter(MIN_RECONNECT_DELAY, MAX_RECONNECT_DELAY, 1, TimeUnit.MILLISECONDS))
                .nettyCustomizer(sessions.after(base.nettyCustomizer()))
                .build();
        return resources;
    }

    /**
     * Lets the event loops end once they have been idle for a little more than a connect timeout, because a connection
     * that is being opened still has a timer for that long.
     */
    @Override
    public void close() {
        long quiet = connectTimeout().plus(QUIET_EXTRA).toMillis();
        if (resources != null) {
            resources.shutdown(0, quiet, TimeUnit.MILLISECONDS);
        }
        loops.shutdown(quiet, 2 * quiet, TimeUnit.MILLISECONDS);
        timer.stop();
    }

    private static final class LimitedCredentials implements RedisCredentialsProvider {

        private final RedisCredentialsProvider provider;
        private final Duration limit;

        LimitedCredentials(RedisCredentialsProvider provider, Duration limit) {
            this.provider = provider;
            this.limit = limit;
        }

        @Override
        public Mono<RedisCredentials> resolveCredentials() {
            return provider.resolveCredentials()
                    .timeout(
                            limit,
                            Mono.error(() -> new RedisConnectionException(
                                    "The provider of Redis credentials has given none within " + limit.toMillis()
                                            + " ms")));
        }

        @Override
        public boolean supportsStreaming() {
            return provider.supportsStreaming();
        }

        @Override
        public Flux<RedisCredentials> credentials() {
            return provider.credentials();
        }
    }
}
