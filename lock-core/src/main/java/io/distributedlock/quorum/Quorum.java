package io.distributedlock.quorum;

/** What all rounds of one quorum share. */
record Quorum(Nodes nodes, Withdrawals withdrawals, SplitVotes splitVotes, Timeline time) {

    static Quorum of(Nodes nodes, Timeline time) {
        return new Quorum(nodes, new Withdrawals(time), new SplitVotes(), time);
    }
}
