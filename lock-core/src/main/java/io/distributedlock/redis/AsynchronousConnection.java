package io.distributedlock.redis;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.reactive.RedisPubSubReactiveCommands;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection without blocking and reactive commands, which nobody here uses. The driver makes all three kinds for each connection, and its first
 * blocking one for messages is a proxy of some 900 methods: generated while an application starts, that is the greatest part of what locks would
 * cost there.
 */
final class AsynchronousConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {

    AsynchronousConnection(
            PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
        super(endpoint, writer, codec, timeout);
    }

    @Override
    @SuppressWarnings("NullAway")
    protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    protected @Nullable RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
        return null;
    }

    @Override
    public RedisPubSubCommands<K, V> sync() {
        throw new UnsupportedOperationException("A connection for locks has no blocking commands; use async()");
    }

    @Override
    public RedisPubSubReactiveCommands<K, V> reactive() {
        throw new UnsupportedOperationException("A connection for locks has no reactive commands; use async()");
    }
}
