package io.distributedlock.redis.pubsub;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where the messages of one server arrive: on the connection that carries commands to it as well, so that they stay in order. Only in RESP3 it can
 * carry both. A connection that was not made for messages must never subscribe, because it takes them for replies.
 */
public final class NodeSubscriptions {

    private final RedisChannelHandler<?, ?> connection;
    private final Map<MessageListener, Subscription> subscriptions;

    private NodeSubscriptions(
            StatefulRedisPubSubConnection<String, String> connection, List<MessageListener> messageListeners) {
        this.connection = (RedisChannelHandler<?, ?>) connection;
        this.subscriptions = messageListeners.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Function.identity(), messageListener -> Subscription.begin(connection, messageListener)));
    }

    /** Subscribes the message listeners, if the connection can carry messages. */
    public static NodeSubscriptions at(
            StatefulRedisPubSubConnection<String, String> connection, List<MessageListener> messageListeners) {
        return new NodeSubscriptions(connection, isResp3(connection) ? messageListeners : List.of());
    }

    private static boolean isResp3(StatefulRedisPubSubConnection<String, String> connection) {
        return ((StatefulRedisConnectionImpl<?, ?>) connection)
                        .getConnectionState()
                        .getNegotiatedProtocolVersion()
                == ProtocolVersion.RESP3;
    }

    public ServerSubscriber of(MessageListener messageListener) {
        Subscription subscription = subscriptions.get(messageListener);
        return subscription == null ? ServerSubscriber.NONE : subscription;
    }

    /** Whether the connection was given up; else it is opened again whenever it breaks. */
    boolean isOver() {
        return connection.isClosed();
    }
}
