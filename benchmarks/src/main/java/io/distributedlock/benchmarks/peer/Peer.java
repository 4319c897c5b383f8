package io.distributedlock.benchmarks.peer;

import java.util.Set;
import java.util.function.IntFunction;

/**
 * A library, or one setting of it, that takes part in the comparison.
 *
 * @param name how the table calls it
 * @param opener opens a client to the Redis on a port of 127.0.0.1
 */
public record Peer(String name, Set<Trait> traits, IntFunction<PeerClient> opener) {

    public PeerClient open(int port) {
        return opener.apply(port);
    }

    @Override
    public String toString() {
        return name;
    }
}
