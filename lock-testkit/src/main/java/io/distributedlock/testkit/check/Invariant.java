package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Timeline;

/** Something that must hold for every history; its class's first sentence says what, and with which number. */
interface Invariant {
    /** Number and meaning, for messages. */
    String name();

    /** Reports every breach. */
    void check(Timeline timeline, Findings findings);
}
