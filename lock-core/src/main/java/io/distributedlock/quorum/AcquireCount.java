package io.distributedlock.quorum;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The votes on an acquire, counted. A node without a definite answer has no vote. */
final class AcquireCount {

    private final NodeAnswers<AcquireResult> votes;
    private final Nodes nodes;
    private final List<Granted> granted;
    private final List<Refused> refused;
    private final int refusedByOwn;
    private final String whyUncounted;

    /** @param own where a refusal may come from an earlier try of the same claim, so that it has no vote */
    private AcquireCount(
            NodeAnswers<AcquireResult> votes,
            Nodes nodes,
            Set<QuorumNode> own,
            Predicate<Granted> counts,
            String whyUncounted) {
        this.whyUncounted = whyUncounted;
        this.votes = votes;
        this.nodes = nodes;
        this.granted = answers(votes, Granted.class, Set.of()).filter(counts).toList();
        this.refused = answers(votes, Refused.class, own).toList();
        this.refusedByOwn = votes.answers(Refused.class::isInstance) - refused.size();
    }

    /**
     * The decision on a first try with a new owner. A node that knows the owner already is a server that has voted
     * under another name.
     *
     * @param own the nodes where an owner of an earlier try of this claim may still hold the lock
     */
    static Optional<AcquireDecision> ofFirstTry(NodeAnswers<AcquireResult> votes, Nodes nodes, Set<QuorumNode> own) {
        return new AcquireCount(
                        votes,
                        nodes,
                        own,
                        Granted::fresh,
                        "had granted it under another name already: name each server once")
                .decision(true);
    }

    /**
     * The decision on a repeated try. A node that grants the lock anew did not keep it: others may have held it
     * meanwhile, with a larger token.
     */
    static Optional<AcquireDecision> ofRepetition(NodeAnswers<AcquireResult> votes, Nodes nodes) {
        return new AcquireCount(votes, nodes, Set.of(), granted -> !granted.fresh(), "had not kept it").decision(false);
    }

    private static <A extends AcquireResult> Stream<A> answers(
            NodeAnswers<AcquireResult> votes, Class<A> kind, Set<QuorumNode> without) {
        return votes.cast().stream()
                .filter(vote -> !without.contains(vote.node()))
                .map(NodeAnswer::answer)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    /**
     * Refusals decide at once; failures only when no vote can add to what is known of the effect.
     *
     * @param minorityRefuses whether a refusal counts although silent nodes could outvote it. A repeated try must not
     *     give up a lock for that, which the client may have reported as held meanwhile
     */
    private Optional<AcquireDecision> decision(boolean minorityRefuses) {
        if (granted.size() >= nodes.quorum()) {
            return Optional.of(won());
        }
        boolean outvoted = nodes.rulesOut(refused.size());
        boolean contended = minorityRefuses && !refused.isEmpty() && granted.size() + refused.size() >= nodes.quorum();
        if (outvoted || (votes.areComplete() && contended)) {
            int hints = (int) refused.stream().filter(Refused::queued).count();
            return Optional.of(new AcquireDecision.Lost(refusal(), lacking(), !granted.isEmpty(), hints));
        }
        return votes.areComplete() ? Optional.of(open()) : Optional.empty();
    }

    private AcquireDecision.Won won() {
        long token = granted.stream().mapToLong(Granted::token).max().orElseThrow();
        Duration promised = granted.stream()
                .map(Granted::remaining)
                .sorted(Comparator.reverseOrder())
                .toList()
                .get(nodes.quorum() - 1);
        return new AcquireDecision.Won(token, promised);
    }

    /** The leases have ended when so many have ended that, with the nodes granted now, there would be enough. */
    private Refused refusal() {
        List<Duration> termination =
                refused.stream().map(Refused::retryAfter).sorted().toList();
        Duration ending = termination.get(Math.min(lacking(), termination.size()) - 1);
        return new Refused(ending, false, new CompletableFuture<>());
    }

    private int lacking() {
        return nodes.quorum() - granted.size();
    }

    private AcquireDecision.Open open() {
        int uncounted = votes.answers(Granted.class::isInstance) - granted.size();
        String what = "%d of %d nodes granted the lock, %d are needed"
                .formatted(granted.size(), nodes.all().size(), nodes.quorum());
        if (refusedByOwn > 0) {
            return new AcquireDecision.Open(StoreException.unknown(
                    what + "; " + refusedByOwn + " may keep it for an earlier try of the same call", null));
        }
        return new AcquireDecision.Open(
                votes.shortfall(uncounted == 0 ? what : what + "; " + uncounted + " " + whyUncounted),
                nodes.rulesOut(refused.size() + uncounted));
    }
}
