package io.distributedlock.testkit.provider;

import io.distributedlock.testkit.relay.CommandTraffic;
import io.distributedlock.testkit.relay.Relay;

/**
 * A relay to a real server, at least of version 7, that makes it look like that of a provider.
 *
 * <p>What is refused is answered on the way. Scripts get a prologue that applies the rules about calls; their digests
 * are those of the texts that clients know.
 */
public final class ProviderRelay implements AutoCloseable {
    private final Relay relay;
    private volatile ProviderNode node;

    private ProviderRelay(int port, Profile profile) {
        this.node = new ProviderNode(profile);
        this.relay = Relay.to(port, () -> new CommandTraffic(command -> node.passage(command)));
    }

    /** Starts a relay to the server on this port of 127.0.0.1. */
    public static ProviderRelay to(int port, Profile profile) {
        return new ProviderRelay(port, profile);
    }

    /** The port on 127.0.0.1 at which clients reach the server through this relay. */
    public int port() {
        return relay.port();
    }

    /** The address in the form {@code redis://127.0.0.1:port}. */
    public String uri() {
        return relay.uri();
    }

    /** The relay underneath, for holds, delays and cuts. */
    public Relay relay() {
        return relay;
    }

    /**
     * Has another profile apply from the next command on, also on connections that are open, as after a failover to
     * another node behind the same proxy: the data is there, scripts are not loaded. Connections keep the protocol that
     * they have; a proxy that ends them is played by {@link Relay#cut}.
     */
    public void failOverTo(Profile profile) {
        node = new ProviderNode(profile);
    }

    /** How many commands this rule has refused since the last failover; calls within scripts are not counted. */
    public long refusals(Rule rule) {
        return node.refusals(rule);
    }

    @Override
    public void close() {
        relay.close();
    }
}
