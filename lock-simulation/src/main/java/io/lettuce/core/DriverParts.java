package io.lettuce.core;

import io.lettuce.core.protocol.ConnectionInitializer;
import io.netty.channel.ChannelHandler;

/** The parts of the driver's connections that it makes for itself alone. */
public final class DriverParts {

    private DriverParts() {}

    /** What a connection and its server agree upon before anything else. */
    public static ConnectionInitializer handshake(StatefulRedisConnectionImpl<?, ?> connection) {
        ConnectionState state = connection.getConnectionState();
        state.apply(new RedisURI());
        return new RedisHandshake(null, false, state, null);
    }

    /** Tells the connection's listeners of its begin and end. */
    public static ChannelHandler events(RedisChannelHandler<?, ?> connection) {
        return new ConnectionEventTrigger(
                new ConnectionEvents(), connection, connection.getResources().eventBus());
    }
}
