package io.distributedlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;

/** Supplies the driver's client that the lock connections live on. It is asked again after each stop. */
public interface RedisClientSource {

    /**
     * Creates a client for locks alone: its options must not leak into an application's own client, nor the other way
     * round.
     *
     * @param safety returns the options and resources that the client has to be created with
     */
    AbstractRedisClient open(LockClientOptions safety);

    /** Ends a client that {@link #open} created. */
    void close(AbstractRedisClient client);

    /** A client for one Redis, or for the master that Sentinels name. */
    static RedisClientSource of(RedisURI uri) {
        return of(uri, ClientOptions.create());
    }

    /**
     * A client for one Redis, or for the master that Sentinels name.
     *
     * @param options what locks do not need otherwise is taken from these, such as whom to trust with TLS
     */
    static RedisClientSource of(RedisURI uri, ClientOptions options) {
        return UriClientSource.ofOne(uri, options);
    }

    /** A client for a Redis Cluster, of which some nodes are given. */
    static RedisClientSource ofCluster(Iterable<RedisURI> nodes) {
        List<RedisURI> copies = new ArrayList<>();
        nodes.forEach(copies::add);
        return UriClientSource.ofCluster(List.copyOf(copies));
    }
}
