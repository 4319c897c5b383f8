package io.distributedlock.redis;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a mailbox subscribed on a connection that carries commands as well.
 *
 * <p>It counts as open when a message that was sent to the mailbox has arrived: only then it is certain that this user may publish as well as
 * subscribe. The driver subscribes again after each reconnect, but just once and only what it had subscribed, so we do that ourselves.
 */
final class Subscription extends RedisPubSubAdapter<String, String> implements RedisConnectionStateListener, Post {

    private static final String ECHO = "";
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Mailbox mailbox;
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
        connection.async().subscribe(mailbox.address()).exceptionally(this::refused);
    }

    /** A server that is busy with somebody's script takes neither a subscription nor a message, and says nothing when it is done. */
    private @Nullable Void refused(Throwable failure) {
        if (failure instanceof RedisBusyException && waiting.compareAndSet(false, true)) {
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
            connection.async().publish(channel, ECHO).whenComplete((heard, failure) -> {
                if (failure != null) {
                    refused(failure);
                }
            });
        }
    }

    @Override
    public void message(String channel, String message) {
        if (!channel.equals(mailbox.address())) {
            return;
        }
        if (!message.equals(ECHO)) {
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
