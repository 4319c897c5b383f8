package io.distributedlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A cluster client of our own from the addresses of some nodes, with resources of its own. */
final class UriClusterSource implements RedisClientSource {

    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(2);

    private final Map<AbstractRedisClient, ClientResources> resources = new ConcurrentHashMap<>();
    private final List<RedisURI> nodes;

    UriClusterSource(Iterable<RedisURI> nodes) {
        List<RedisURI> copies = new ArrayList<>();
        nodes.forEach(copies::add);
        this.nodes = List.copyOf(copies);
    }

    @Override
    public AbstractRedisClient open(LockClientOptions safety) {
        ClientResources own = DefaultClientResources.create();
        Duration timeout = safety.connectTimeout();
        List<RedisURI> seeds = nodes.stream()
                .map(node -> RedisURI.builder(node).withTimeout(timeout).build())
                .toList();
        RedisClusterClient client = RedisClusterClient.create(safety.resources(own), seeds);
        client.setOptions((ClusterClientOptions) safety.options(ClusterClientOptions.create()));
        resources.put(client, own);
        return client;
    }

    @Override
    public void close(AbstractRedisClient client) {
        client.shutdown(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        ClientResources own = resources.remove(client);
        if (own != null) {
            own.shutdown(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
