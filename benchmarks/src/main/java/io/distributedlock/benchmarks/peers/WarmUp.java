package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Outcome;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Digits;
import io.distributedlock.benchmarks.peer.Peer;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Lets something run until it gets no faster, because its code is compiled by then; but not for ever. */
final class WarmUp {

    private static final double STILL_FASTER = 1.1;

    private WarmUp() {}

    /**
     * Runs it at least twice.
     *
     * @param rate runs it for a while and gives its rate
     * @param most how often at most
     * @return the last rate
     */
    static double of(DoubleSupplier rate, int most) {
        double best = rate.getAsDouble();
        double last = rate.getAsDouble();
        for (int run = 2; run < most && (last == 0 || last > best * STILL_FASTER); run++) {
            best = last;
            last = rate.getAsDouble();
        }
        return last;
    }

    /** Each process alone first, where it goes through its code most often; then all of them against each other. */
    static void of(ProcessGroup group, Peer peer, int threads, RunOptions setting) {
        Duration length = setting.scale().length();
        double rate = of(
                () -> granted(group.each(member -> Order.loop(peer.name() + "-" + member, 1, length))),
                setting.scale().warmUps());
        long handOvers = granted(group.all(Order.loop(peer.name(), threads, length)));
        setting.progress()
                .println(peer + " is warm: " + Digits.of(rate) + " cycles, " + handOvers + " hand-overs in "
                        + length.toMillis() + " ms");
    }

    private static long granted(List<Outcome> outcomes) {
        return outcomes.stream().mapToLong(Outcome::granted).sum();
    }
}
