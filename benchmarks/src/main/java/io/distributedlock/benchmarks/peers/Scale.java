package io.distributedlock.benchmarks.peers;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds of each peer in each case
 * @param warmUps how often a peer runs for the length of a round, at most, before it is measured
 * @param length of one round
 * @param handOvers how many hand-overs between processes are timed in one round
 * @param isShort whether only the peers and cases that the targets need take part, and scenarios have a limit
 */
record Scale(int rounds, int warmUps, Duration length, int handOvers, boolean isShort) {

    static final Scale FULL = new Scale(3, 10, Duration.ofMillis(1_000), 25, false);
    static final Scale SHORT = new Scale(2, 3, Duration.ofMillis(400), 12, true);
}
