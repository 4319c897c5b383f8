package io.distributedlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;

/**
 * Keeps a mailbox subscribed on a connection that carries commands as well.
 *
 * <p>It counts as open when a message that was sent to the mailbox has arrived: only then it is certain that this user may publish as well as
 * subscribe. The driver subscribes again after each reconnect, but not if it has never succeeded.
 */
final class Subscription extends RedisPubSubAdapter<String, String> implements RedisConnectionStateListener, Post {

    private static final String ECHO = "";

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Mailbox mailbox;
    private volatile boolean everSubscribed;
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
        connection.async().subscribe(mailbox.address());
    }

    @Override
    public void subscribed(String channel, long count) {
        if (channel.equals(mailbox.address())) {
            everSubscribed = true;
            connection.async().publish(channel, ECHO);
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
        if (!everSubscribed) {
            subscribe();
        }
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
        open = false;
    }
}
