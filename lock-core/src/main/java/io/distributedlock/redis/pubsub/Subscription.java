package io.distributedlock.redis.pubsub;

import io.distributedlock.redis.script.RedisReplies;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a message listener subscribed on a connection that carries commands as well.
 *
 * <p>It counts as open when a message has arrived that a script has sent to the listener, as a release does: only then
 * it is certain that the user may do so, and that the server that runs the scripts knows the subscription, which a
 * proxy may have sent to another one. The driver subscribes again after each reconnect, but just once and only what it
 * had subscribed, so we do that ourselves.
 */
public final class Subscription extends RedisPubSubAdapter<String, String>
        implements RedisConnectionStateListener, ServerSubscriber {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Publishes if this very server has a subscription to the channel. */
    private static final String PUBLISH_IF_HEARD =
            "return redis.call('PUBSUB', 'NUMSUB', ARGV[1])[2] > 0 and redis.call('PUBLISH', ARGV[1], ARGV[2]) or 0";

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final MessageListener messageListener;
    /** Unlike any that another node of a Cluster passes on. */
    private final String echo =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());

    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean open;

    private Subscription(StatefulRedisPubSubConnection<String, String> connection, MessageListener messageListener) {
        this.connection = connection;
        this.messageListener = messageListener;
    }

    /**
     * Subscribes on the connection that carries commands to the server as well, so that both stay in order; not if it
     * has RESP2, which carries one of them. A connection that was not made for messages must never subscribe, because
     * it takes them for replies.
     */
    public static Subscription at(
            StatefulRedisPubSubConnection<String, String> connection, MessageListener messageListener) {
        ProtocolVersion protocol = ((StatefulRedisConnectionImpl<?, ?>) connection)
                .getConnectionState()
                .getNegotiatedProtocolVersion();
        if (protocol == ProtocolVersion.RESP3) {
            return begin(connection, messageListener);
        }
        messageListener.unheard("its connections speak the old protocol, RESP2");
        return new Subscription(connection, messageListener);
    }

    static Subscription begin(
            StatefulRedisPubSubConnection<String, String> connection, MessageListener messageListener) {
        Subscription subscription = new Subscription(connection, messageListener);
        connection.addListener((RedisPubSubListener<String, String>) subscription);
        connection.addListener((RedisConnectionStateListener) subscription);
        subscription.subscribe();
        return subscription;
    }

    private void subscribe() {
        connection
                .async()
                .subscribe(messageListener.address(), messageListener.commonAddress())
                .exceptionally(this::refused);
    }

    /** A server that is busy with a script or reads its data does not say when it is done. */
    private @Nullable Void refused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        boolean forNow = cause instanceof RedisBusyException || cause instanceof RedisLoadingException;
        if (forNow && waiting.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::again);
        }
        RedisReplies.errorOf(failure)
                .filter(answer -> answer.startsWith("ERR "))
                .ifPresent(answer -> messageListener.unheard("it answers: " + answer));
        return null;
    }

    private void again() {
        waiting.set(false);
        if (!open && connection.isOpen()) {
            subscribe();
        }
    }

    @Override
    public void subscribed(String channel, long count) {
        if (channel.equals(messageListener.address())) {
            connection
                    .async()
                    .<Long>eval(PUBLISH_IF_HEARD, ScriptOutputType.INTEGER, new String[0], channel, echo)
                    .whenComplete((heard, failure) -> {
                        if (failure != null) {
                            refused(failure);
                        } else if (heard != null && heard == 0) {
                            messageListener.unheard("a message from inside a script reaches no one");
                        }
                    });
        }
    }

    @Override
    public void message(String channel, String message) {
        if (channel.equals(messageListener.commonAddress())) {
            messageListener.receivedByAll(message);
        }
        if (!channel.equals(messageListener.address())) {
            return;
        }
        if (!message.equals(echo)) {
            messageListener.received(message);
        } else if (!open) {
            open = true;
            messageListener.opened(this);
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** Whether the connection was given up; else it is opened again whenever it breaks. */
    boolean isOver() {
        return ((RedisChannelHandler<?, ?>) connection).isClosed();
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connected, SocketAddress address) {
        subscribe();
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
        open = false;
    }
}
