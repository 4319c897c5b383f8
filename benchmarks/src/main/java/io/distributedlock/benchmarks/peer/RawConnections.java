package io.distributedlock.benchmarks.peer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/** A plain Lettuce client. */
final class RawConnections implements AutoCloseable {

    private static final int FLUSH_AFTER = 256;

    private final ClientResources resources;
    private final RedisClient client;

    private RawConnections(ClientResources resources, int port) {
        this.resources = resources;
        this.client = RedisClient.create(resources, RedisURI.create("127.0.0.1", port));
    }

    static RawConnections plain(int port) {
        return new RawConnections(ClientResources.create(), port);
    }

    /** Its connections write what was asked for in one turn of the event loop in one go. */
    static RawConnections consolidated(int port) {
        NettyCustomizer consolidation = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                channel.pipeline().addFirst(new FlushConsolidationHandler(FLUSH_AFTER, true));
            }
        };
        return new RawConnections(
                ClientResources.builder().nettyCustomizer(consolidation).build(), port);
    }

    StatefulRedisConnection<String, String> connect() {
        return client.connect();
    }

    StatefulRedisPubSubConnection<String, String> connectPubSub() {
        return client.connectPubSub();
    }

    @Override
    public void close() {
        client.shutdown();
        resources.shutdown();
    }
}
