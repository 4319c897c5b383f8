package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.peer.Peer;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The processes of each peer. They live as long as their scenario, so that they stay warm and no round pays for their
 * start.
 */
final class StartedPeers<T> implements AutoCloseable {

    private final Map<Peer, T> processes = new HashMap<>();
    private final Map<Peer, String> failures = new HashMap<>();
    private final Consumer<T> closer;
    private final PrintStream progress;

    StartedPeers(List<Peer> peers, RunOptions setting, Function<Peer, T> opener, Consumer<T> closer) {
        this.closer = closer;
        this.progress = setting.progress();
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

    /** A peer that can't be closed changes no figure. */
    @Override
    public void close() {
        processes.forEach((peer, process) -> {
            try {
                closer.accept(process);
            } catch (RuntimeException failure) {
                progress.println(peer + " was not closed: " + failure.getMessage());
            }
        });
    }
}
