package io.distributedlock.quorum;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Attempt.Granted;
import io.distributedlock.spi.Attempt.Refused;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The votes on an acquire, counted. A node that gave no definite answer votes for nobody. */
final class AcquireCount {

    private final Votes<Attempt> votes;
    private final Nodes nodes;
    private final List<Granted> granted;
    private final List<Refused> refused;

    private AcquireCount(Votes<Attempt> votes, Nodes nodes, Predicate<Granted> counts) {
        this.votes = votes;
        this.nodes = nodes;
        this.granted = answers(votes, Granted.class).filter(counts).toList();
        this.refused = answers(votes, Refused.class).toList();
    }

    /**
     * The verdict on a first try with a new owner. A node that knows the owner already is a server that has voted under another name.
     */
    static Optional<Verdict> ofFirstTry(Votes<Attempt> votes, Nodes nodes) {
        return new AcquireCount(votes, nodes, Granted::fresh).verdict();
    }

    /** The verdict on a repeated try. */
    static Optional<Verdict> ofRepetition(Votes<Attempt> votes, Nodes nodes) {
        return new AcquireCount(votes, nodes, any -> true).verdict();
    }

    private static <A extends Attempt> Stream<A> answers(Votes<Attempt> votes, Class<A> kind) {
        return votes.cast().stream().map(Vote::answer).filter(kind::isInstance).map(kind::cast);
    }

    /** Refusals decide at once, because a waiter has better things to do; failures only when nobody can add to what is known of the effect. */
    private Optional<Verdict> verdict() {
        if (granted.size() >= nodes.quorum()) {
            return Optional.of(won());
        }
        boolean outvoted = nodes.rulesOut(refused.size());
        boolean contended = !refused.isEmpty() && granted.size() + refused.size() >= nodes.quorum();
        if (outvoted || (votes.areComplete() && contended)) {
            int hints = (int) refused.stream().filter(Refused::queued).count();
            return Optional.of(new Verdict.Lost(refusal(), lacking(), !granted.isEmpty(), hints));
        }
        return votes.areComplete() ? Optional.of(open()) : Optional.empty();
    }

    private Verdict.Won won() {
        long token = granted.stream().mapToLong(Granted::token).max().orElseThrow();
        Duration promised = granted.stream()
                .map(Granted::remaining)
                .sorted(Comparator.reverseOrder())
                .toList()
                .get(nodes.quorum() - 1);
        return new Verdict.Won(token, promised);
    }

    /** The leases have ended when so many have ended that, with the nodes granted now, there would be enough. */
    private Refused refusal() {
        List<Duration> endings =
                refused.stream().map(Refused::retryAfter).sorted().toList();
        Duration ending = endings.get(Math.min(lacking(), endings.size()) - 1);
        return new Refused(ending, false, new CompletableFuture<>());
    }

    private int lacking() {
        return nodes.quorum() - granted.size();
    }

    private Verdict.Open open() {
        long again = votes.answers(Granted.class::isInstance) - granted.size();
        String what = "%d of %d nodes granted the lock, %d are needed"
                .formatted(granted.size(), nodes.all().size(), nodes.quorum());
        return new Verdict.Open(votes.shortfall(
                again == 0
                        ? what
                        : what
                                + "; %d had granted it under another name already: name each server once"
                                        .formatted(again)));
    }
}
