package io.distributedlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Clients of our own from addresses, each with resources of its own. */
final class UriClientSource implements RedisClientSource {

    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(2);

    private final Map<AbstractRedisClient, ClientResources> resources = new ConcurrentHashMap<>();
    private final BiFunction<ClientResources, LockClientOptions, AbstractRedisClient> maker;

    private final String place;

    private UriClientSource(String place, BiFunction<ClientResources, LockClientOptions, AbstractRedisClient> maker) {
        this.place = place;
        this.maker = maker;
    }

    static UriClientSource ofOne(RedisURI uri, ClientOptions options) {
        return new UriClientSource(placeOf(uri), (resources, safety) -> {
            RedisClient client = RedisClient.create(resources, limited(uri, safety));
            client.setOptions(safety.options(options));
            return client;
        });
    }

    static UriClientSource ofCluster(List<RedisURI> nodes) {
        String place = "the Redis Cluster of " + placeOf(nodes.get(0));
        return new UriClientSource(place, (resources, safety) -> {
            List<RedisURI> seeds =
                    nodes.stream().map(node -> limited(node, safety)).toList();
            RedisClusterClient client = RedisClusterClient.create(resources, seeds);
            client.setOptions((ClusterClientOptions) safety.options(ClusterClientOptions.create()));
            return client;
        });
    }

    @Override
    public AbstractRedisClient open(LockClientOptions safety) {
        ClientResources own = DefaultClientResources.create();
        AbstractRedisClient client = maker.apply(safety.resources(own), safety);
        resources.put(client, own);
        return client;
    }

    /** A copy; the driver's own one forgets the Sentinels. */
    private static RedisURI limited(RedisURI uri, LockClientOptions safety) {
        Duration timeout = safety.connectTimeout();
        RedisCredentialsProvider credentials = safety.limited(uri.getCredentialsProvider());
        if (uri.getSentinels().isEmpty()) {
            RedisURI copy = RedisURI.builder(uri).withTimeout(timeout).build();
            copy.setCredentialsProvider(credentials);
            return copy;
        }
        RedisURI copy = new RedisURI();
        copy.setSentinelMasterId(uri.getSentinelMasterId());
        uri.getSentinels().forEach(sentinel -> copy.getSentinels().add(limited(sentinel, safety)));
        copy.setCredentialsProvider(credentials);
        copy.setDatabase(uri.getDatabase());
        copy.setClientName(uri.getClientName());
        copy.setSsl(uri.isSsl());
        copy.setStartTls(uri.isStartTls());
        copy.setVerifyPeer(uri.getVerifyMode());
        copy.setTimeout(timeout);
        return copy;
    }

    @Override
    public void close(AbstractRedisClient client) {
        client.shutdown(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        ClientResources own = resources.remove(client);
        if (own != null) {
            own.shutdown(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Without user and password. */
    private static String placeOf(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return "the Redis master '" + uri.getSentinelMasterId() + "' that Sentinels name";
        }
        return "Redis at " + (uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket());
    }

    /** Where it leads to, for logs. */
    @Override
    public String toString() {
        return place;
    }
}
