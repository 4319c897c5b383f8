package io.distributedlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;

/** One client whose connections a test changes. */
final class CustomizedClientSource implements RedisClientSource {

    private final ClientResources base;
    private final RedisURI uri;

    CustomizedClientSource(RedisURI uri, NettyCustomizer customizer) {
        this.uri = uri;
        base = DefaultClientResources.builder().nettyCustomizer(customizer).build();
    }

    @Override
    public AbstractRedisClient open(LockClientOptions safety) {
        RedisClient client = RedisClient.create(safety.resources(base), uri);
        client.setOptions(safety.options(ClientOptions.create()));
        return client;
    }

    @Override
    public void close(AbstractRedisClient client) {
        client.shutdown();
        base.shutdown();
    }
}
