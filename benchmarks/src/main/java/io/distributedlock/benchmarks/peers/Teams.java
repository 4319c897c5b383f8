package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Team;
import io.distributedlock.benchmarks.peer.Peer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A team of processes for each peer. They live as long as their scenario, so that no round pays for their start. */
final class Teams implements AutoCloseable {

    private final Map<Peer, Team> teams = new HashMap<>();
    private final Map<Peer, String> failures = new HashMap<>();

    Teams(List<Peer> peers, Setting setting, Function<Peer, Team> opener) {
        for (Peer peer : peers) {
            setting.progress().println("starting " + peer);
            try {
                teams.put(peer, opener.apply(peer));
            } catch (RuntimeException failure) {
                failures.put(peer, String.valueOf(failure.getMessage()));
            }
        }
    }

    /** @throws IllegalStateException if this peer could not be started */
    Team of(Peer peer) {
        Team team = teams.get(peer);
        if (team == null) {
            throw new IllegalStateException("not started: " + failures.get(peer));
        }
        return team;
    }

    @Override
    public void close() {
        teams.values().forEach(Team::close);
    }
}
