package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.peer.Peer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The processes of each peer. They live as long as their scenario, so that they stay warm and no round pays for their start. */
final class Started<T> implements AutoCloseable {

    private final Map<Peer, T> processes = new HashMap<>();
    private final Map<Peer, String> failures = new HashMap<>();
    private final Consumer<T> closer;

    Started(List<Peer> peers, Setting setting, Function<Peer, T> opener, Consumer<T> closer) {
        this.closer = closer;
        for (Peer peer : peers) {
            setting.progress().println("starting " + peer);
            try {
                processes.put(peer, opener.apply(peer));
            } catch (RuntimeException failure) {
                failures.put(peer, String.valueOf(failure.getMessage()));
            }
        }
    }

    /** @throws IllegalStateException if this peer could not be started */
    T of(Peer peer) {
        T process = processes.get(peer);
        if (process == null) {
            throw new IllegalStateException("not started: " + failures.get(peer));
        }
        return process;
    }

    @Override
    public void close() {
        processes.values().forEach(closer);
    }
}
