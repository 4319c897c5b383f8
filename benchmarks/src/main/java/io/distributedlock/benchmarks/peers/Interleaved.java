package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.peer.Peer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Measures peers by turns, each round beginning with another of them, so that what disturbs the machine for a while
 * disturbs all. A peer that fails is left out of the rounds that follow.
 */
final class Interleaved {

    private final String kase;
    private final RunOptions setting;

    Interleaved(String kase, RunOptions setting) {
        this.kase = kase;
        this.setting = setting;
    }

    List<ResultLine> run(List<Peer> peers, Function<Peer, Round> round) {
        Map<Peer, Series> series = new LinkedHashMap<>();
        peers.forEach(peer -> series.put(peer, new Series()));
        Set<Peer> failed = new HashSet<>();
        for (int turn = 0; hasTimeFor(turn); turn++) {
            for (Peer peer : rotated(peers, turn)) {
                if (!failed.contains(peer) && !run(peer, round, series.getOrDefault(peer, new Series()))) {
                    failed.add(peer);
                }
            }
            progress()
                    .println(kase + ": round " + (turn + 1) + " of "
                            + setting.scale().rounds());
        }
        return series.entrySet().stream()
                .map(entry -> new ResultLine(kase, entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The first round takes place in any case. */
    private boolean hasTimeFor(int turn) {
        return turn < setting.scale().rounds()
                && (turn == 0 || !setting.deadline().isOver());
    }

    private boolean run(Peer peer, Function<Peer, Round> round, Series series) {
        try {
            series.add(round.apply(peer));
            return true;
        } catch (RuntimeException failure) {
            series.fail(String.valueOf(failure.getMessage()));
            progress().println(kase + ", " + peer + " failed: " + failure.getMessage());
            return false;
        }
    }

    static <T> List<T> rotated(List<T> all, int by) {
        List<T> rotated = new ArrayList<>(all);
        Collections.rotate(rotated, -by);
        return rotated;
    }

    private PrintStream progress() {
        return setting.progress();
    }
}
