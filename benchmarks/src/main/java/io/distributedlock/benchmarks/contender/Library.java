package io.distributedlock.benchmarks.contender;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** A lock library, set up as its documentation recommends: defaults, except for what {@link ResolvedRequest} say. */
public enum Library {
    DISTRIBUTED_LOCK("distributed-lock", DistributedLocks::new),
    REDISSON("Redisson", RedissonLocks::new),
    LOCK4J("lock4j", Lock4jLocks::new),
    SPRING_INTEGRATION("Spring Integration", RegistryLocks::new);

    private interface Connector {
        Locks connect(int port, Terms terms);
    }

    private static final Properties VERSIONS = versions();

    private final String title;
    private final Connector connector;

    Library(String title, Connector connector) {
        this.title = title;
        this.connector = connector;
    }

    public String title() {
        return title;
    }

    public String version() {
        return VERSIONS.getProperty(name());
    }

    /** Opens a client of its own to the Redis on this port of 127.0.0.1. */
    public Locks connect(int port, Terms terms) {
        return connector.connect(port, terms);
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream resource = Library.class.getResourceAsStream("versions.properties")) {
            if (resource == null) {
                throw new IllegalStateException("versions.properties is missing; build the benchmarks with Maven");
            }
            versions.load(resource);
            return versions;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("versions.properties can't be read", unreadable);
        }
    }
}
