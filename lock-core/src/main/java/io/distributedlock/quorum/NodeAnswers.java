package io.distributedlock.quorum;

import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The votes on one question so far.
 *
 * @param pending how many nodes have not voted yet
 */
record NodeAnswers<T>(List<NodeAnswer<T>> cast, int pending) {

    boolean areComplete() {
        return pending == 0;
    }

    int answers(Predicate<T> condition) {
        return (int) cast.stream()
                .filter(vote -> vote.answer() != null && condition.test(vote.answer()))
                .count();
    }

    int answers() {
        return (int) cast.stream().filter(NodeAnswer::isAnswer).count();
    }

    /** Why nodes did not answer, by node. */
    Map<String, String> silences() {
        return cast.stream()
                .filter(vote -> !vote.isAnswer())
                .collect(Collectors.toMap(vote -> vote.node().name(), NodeAnswer::reason));
    }

    int failures() {
        return cast.size() - answers();
    }

    /**
     * Why there is no decision, with what is known of the effect: nothing was sent; or nothing can come of it any more;
     * or unknown, if a node may still do what it was asked.
     */
    StoreException shortfall(String what) {
        Effect effect = Effect.REFUSED;
        if (pending > 0 || cast.stream().anyMatch(NodeAnswer::isUnknown)) {
            effect = Effect.UNKNOWN;
        } else if (cast.stream().allMatch(NodeAnswers::isNotSent)) {
            effect = Effect.NOT_SENT;
        }
        String reasons = cast.stream()
                .filter(vote -> !vote.isAnswer())
                .map(vote -> vote.node() + ": " + vote.reason())
                .collect(Collectors.joining("; "));
        return new StoreException(effect, reasons.isEmpty() ? what : what + " (" + reasons + ")", null);
    }

    private static boolean isNotSent(NodeAnswer<?> vote) {
        StoreException failure = vote.failure();
        return failure != null && failure.effect() == Effect.NOT_SENT;
    }
}
