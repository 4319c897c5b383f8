package io.distributedlock.redis;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
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
 * Keeps a mailbox subscribed on a connection that carries commands as well.
 *
 * <p>It counts as open when a message that was sent to the mailbox on this connection has arrived: only then it is certain that this user may do
 * here what a release does that has to reach it: ask who hears a channel, and publish. The driver subscribes again after each reconnect, but just once and only what it had subscribed, so we do that ourselves.
 */
final class Subscription extends RedisPubSubAdapter<String, String> implements RedisConnectionStateListener, Post {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Mailbox mailbox;
    /** Unlike any that another node of a Cluster passes on. */
    private final String echo =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());

    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean open;

    private Subscription(StatefulRedisPubSubConnection<String, String> connection, Mailbox mailbox) {
        this.connection = connection;
        this.mailbox = mailbox;
    }

    static Subscription begin(StatefulRedisPubSubConnection<String, String> connection, Mailbox mailbox) {
        Subscription subscription = new Subscription(connection, mailbox);
        connection.addListener((RedisPubSubListener<String, String>) subscription);
        connection.addListener((RedisConnectionStateListener) subscription);
        subscription.subscribe();
        return subscription;
    }

    private void subscribe() {
        connection.async().subscribe(mailbox.address(), mailbox.commonAddress()).exceptionally(this::refused);
    }

    /** A server that is busy with somebody's script takes neither a subscription nor a message, and says nothing when it is done. */
    private @Nullable Void refused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof RedisBusyException && waiting.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::again);
        }
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
        if (channel.equals(mailbox.address())) {
            connection
                    .async()
                    .pubsubNumsub(channel)
                    .thenCompose(heard -> connection.async().publish(channel, echo))
                    .exceptionally(failure -> {
                        refused(failure);
                        return null;
                    });
        }
    }

    @Override
    public void message(String channel, String message) {
        if (channel.equals(mailbox.commonAddress())) {
            mailbox.receivedByAll(message);
        }
        if (!channel.equals(mailbox.address())) {
            return;
        }
        if (!message.equals(echo)) {
            mailbox.received(message);
        } else if (!open) {
            open = true;
            mailbox.opened(this);
        }
    }

    @Override
    public boolean isOpen() {
        return open;
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
