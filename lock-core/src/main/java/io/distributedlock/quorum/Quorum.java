package io.distributedlock.quorum;

/** What all rounds of one quorum share. */
record Quorum(Nodes nodes, PendingReleases withdrawals, SplitBackoff splitVotes, Timeline time) {

    static Quorum of(Nodes nodes, Timeline time) {
        return new Quorum(nodes, new PendingReleases(time), new SplitBackoff(), time);
    }
}
