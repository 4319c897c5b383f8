package io.distributedlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A client of our own from an address, with resources of its own. */
final class UriClientSource implements RedisClientSource {

    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(2);

    private final Map<AbstractRedisClient, ClientResources> resources = new ConcurrentHashMap<>();
    private final RedisURI uri;
    private final ClientOptions options;

    UriClientSource(RedisURI uri, ClientOptions options) {
        this.uri = uri;
        this.options = options;
    }

    @Override
    public AbstractRedisClient open(LockClientOptions safety) {
        ClientResources own = DefaultClientResources.create();
        RedisClient client = RedisClient.create(safety.resources(own), withTimeout(uri, safety.connectTimeout()));
        client.setOptions(safety.options(options));
        resources.put(client, own);
        return client;
    }

    /** A copy; the driver's own one forgets the Sentinels. */
    private static RedisURI withTimeout(RedisURI uri, Duration timeout) {
        if (uri.getSentinels().isEmpty()) {
            return RedisURI.builder(uri).withTimeout(timeout).build();
        }
        RedisURI copy = new RedisURI();
        copy.setSentinelMasterId(uri.getSentinelMasterId());
        uri.getSentinels().forEach(sentinel -> copy.getSentinels().add(withTimeout(sentinel, timeout)));
        copy.setCredentialsProvider(uri.getCredentialsProvider());
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
}
