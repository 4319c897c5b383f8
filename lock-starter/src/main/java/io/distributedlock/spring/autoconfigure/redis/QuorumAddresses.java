package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.QuorumProperties;
import io.lettuce.core.RedisURI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which Redis masters make a quorum. What is said of an address never contains it whole, because it may have a
 * password.
 */
final class QuorumAddresses {

    private static final String URLS = QuorumProperties.PREFIX + ".urls";
    private static final int MIN_NODES = 3;

    private QuorumAddresses() {}

    /**
     * By host and port, in their order.
     *
     * @throws LockConfigurationException if these are no addresses, or can't make a quorum
     */
    static Map<String, RedisURI> of(List<String> urls) {
        requireMajorities(urls.size());
        Map<String, RedisURI> nodes = new LinkedHashMap<>();
        for (int i = 0; i < urls.size(); i++) {
            RedisURI uri = parse(urls.get(i), URLS + "[" + i + "]");
            String name = nameOf(uri);
            if (nodes.put(name, uri) != null) {
                throw new LockConfigurationException(
                        URLS + " names " + name + " twice, but a server with two votes is no majority",
                        "Name each server once. Several databases of one server are one node");
            }
        }
        return nodes;
    }

    private static void requireMajorities(int count) {
        if (count < MIN_NODES) {
            throw new LockConfigurationException(
                    URLS + " names " + count + " Redis masters, but a quorum needs at least 3"
                            + ": with fewer, the loss of one stops all locks",
                    "Set " + URLS
                            + "=redis://one:6379,redis://two:6379,redis://three:6379, masters that know nothing of"
                            + " each other, or keep the locks in the Redis of spring.data.redis.* with"
                            + " distributed-lock.store=redis");
        }
        if (count % 2 == 0) {
            throw new LockConfigurationException(
                    URLS + " names " + count + " Redis masters, but a quorum needs an odd number: " + count
                            + " survive the loss of " + (count / 2 - 1) + ", as " + (count - 1) + " do",
                    "Remove one or add one");
        }
    }

    static RedisURI parse(String url, String property) {
        RedisURI uri;
        try {
            uri = RedisURI.create(url.trim());
        } catch (RuntimeException unreadable) {
            throw invalid(property, "is no address of a Redis");
        }
        if (!uri.getSentinels().isEmpty()) {
            throw invalid(
                    property, "names Sentinels, but a node of a quorum is one master without replicas that replace it");
        }
        if (uri.getSocket() == null && (uri.getHost() == null || uri.getHost().isBlank())) {
            throw invalid(property, "has no host");
        }
        return uri;
    }

    private static LockConfigurationException invalid(String property, String problem) {
        return new LockConfigurationException(
                property + " " + problem,
                "Write redis://host:6379, redis://user:password@host:6379/0, or rediss:// for TLS;"
                        + " percent-encode what is special in a password");
    }

    private static String nameOf(RedisURI uri) {
        return uri.getSocket() == null ? uri.getHost().toLowerCase(Locale.ROOT) + ":" + uri.getPort() : uri.getSocket();
    }
}
