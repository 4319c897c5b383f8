package io.distributedlock.quorum;

import java.util.Optional;
import java.util.function.Predicate;

/** What the votes on a question with yes and no come to. */
enum Majority {
    /** Enough nodes said yes. */
    YES,
    /** So many said no that there can't be enough for yes. */
    NO,
    /** All have voted, but too few of them with an answer. */
    NONE;

    static <T> Optional<Decision<T>> of(NodeAnswers<T> votes, Nodes nodes, Predicate<T> yes) {
        int agreed = votes.answers(yes);
        if (agreed >= nodes.quorum()) {
            return Optional.of(new Decision<>(YES, votes));
        }
        if (nodes.rulesOut(votes.answers() - agreed)) {
            return Optional.of(new Decision<>(NO, votes));
        }
        return votes.areComplete() ? Optional.of(new Decision<>(NONE, votes)) : Optional.empty();
    }

    /** Whether enough nodes answered; each failure is a no. */
    static <T> Optional<Decision<T>> ofAnswers(NodeAnswers<T> votes, Nodes nodes) {
        if (votes.answers() >= nodes.quorum()) {
            return Optional.of(new Decision<>(YES, votes));
        }
        return nodes.rulesOut(votes.failures()) ? Optional.of(new Decision<>(NO, votes)) : Optional.empty();
    }

    /** A majority, and the votes that it was counted from. */
    record Decision<T>(Majority majority, NodeAnswers<T> votes) {

        /** Whether the majority said yes. Throws that too few nodes did what was asked if there is no majority. */
        boolean isYesUnlessTooFew(String did) {
            if (majority == NONE) {
                throw votes.shortfall("too few nodes " + did);
            }
            return majority == YES;
        }
    }
}
