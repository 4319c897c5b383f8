package io.distributedlock.quorum;

import io.distributedlock.internal.time.Scheduler;

/** What all rounds of one quorum share. */
record Quorum(Nodes nodes, PendingReleases withdrawals, SplitBackoff splitVotes, Scheduler time) {

    static Quorum of(Nodes nodes, Scheduler time) {
        return new Quorum(nodes, new PendingReleases(time), new SplitBackoff(), time);
    }
}
