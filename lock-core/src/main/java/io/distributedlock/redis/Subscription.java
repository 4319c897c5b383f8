package io.distributedlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.net.SocketAddress;

/**
 * Keeps a mailbox subscribed on a connection that carries commands as well.
 *
 * <p>The mailbox counts as open when a message that was sent to it has arrived: only then it is certain that this user may publish as well as
 * subscribe. The driver subscribes again after each reconnect, but not if it has never succeeded.
 */
final class Subscription extends RedisPubSubAdapter<String, String> implements RedisConnectionStateListener {

    private static final String ECHO = "";

    private final RedisPubSubAsyncCommands<String, String> commands;
    private final Mailbox mailbox;
    private volatile boolean everSubscribed;

    Subscription(RedisPubSubAsyncCommands<String, String> commands, Mailbox mailbox) {
        this.commands = commands;
        this.mailbox = mailbox;
    }

    void open() {
        commands.subscribe(mailbox.address());
    }

    @Override
    public void subscribed(String channel, long count) {
        if (channel.equals(mailbox.address())) {
            everSubscribed = true;
            commands.publish(channel, ECHO);
        }
    }

    @Override
    public void message(String channel, String message) {
        if (!channel.equals(mailbox.address())) {
            return;
        }
        if (message.equals(ECHO)) {
            mailbox.opened();
        } else {
            mailbox.received(message);
        }
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        if (!everSubscribed) {
            open();
        }
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        mailbox.closed();
    }
}
