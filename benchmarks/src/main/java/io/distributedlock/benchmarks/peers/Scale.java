package io.distributedlock.benchmarks.peers;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds of each peer in each case
 * @param warmUp how long a peer runs before it is measured
 * @param length of one round
 * @param handOvers how many hand-overs between processes are timed in one round
 * @param isShort whether only the peers and cases that the targets need take part
 */
record Scale(int rounds, Duration warmUp, Duration length, int handOvers, boolean isShort) {

    static final Scale FULL = new Scale(3, Duration.ofMillis(2_500), Duration.ofMillis(1_200), 25, false);
    static final Scale SHORT = new Scale(2, Duration.ofMillis(1_500), Duration.ofMillis(700), 15, true);
}
