package io.distributedlock.quorum;

import io.distributedlock.quorum.AcquireDecision.Won;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The two votes that a new owner needs. The first one grants it the lock and a token at enough nodes; the second one
 * raises the fences of enough nodes to the largest of these tokens. Any later first vote shares a node with that second
 * one, so its largest token is larger.
 */
final class TwoPhaseAcquire {

    private static final Duration FIXED_DRIFT = Duration.ofMillis(2);
    private static final int DRIFT_SHARE = 100;

    private final Quorum quorum;
    private final Claim owner;
    private final Set<QuorumNode> own;
    private final Duration ttl;
    private final long startedAt;
    private final NodeCalls<AcquireResult> firstVote;

    /**
     * Begins the first vote.
     *
     * @param own where an earlier owner of the same claim may still hold the lock
     * @param vote asks one node for it
     */
    TwoPhaseAcquire(
            Quorum quorum,
            Claim owner,
            Set<QuorumNode> own,
            Duration ttl,
            Function<QuorumNode, CompletionStage<? extends AcquireResult>> vote) {
        this.quorum = quorum;
        this.owner = owner;
        this.own = own;
        this.ttl = ttl;
        this.startedAt = quorum.time().now();
        this.firstVote = quorum.nodes().askInTime(ttl, vote);
    }

    CompletableFuture<AcquireDecision> decision() {
        return firstVote
                .decide(votes -> AcquireCount.ofFirstTry(votes, quorum.nodes(), own))
                .thenCompose(decision ->
                        decision instanceof Won won ? secondVote(won) : CompletableFuture.completedFuture(decision));
    }

    private CompletableFuture<AcquireDecision> secondVote(Won won) {
        NodeCalls<Duration> fences =
                quorum.nodes().askInTime(ttl, node -> node.store().extend(owner, won.token(), ttl));
        return fences.decide(votes -> Majority.of(votes, quorum.nodes(), left -> !left.isZero()))
                .thenApply(decision -> switch (decision.majority()) {
                    case YES -> isOfUse(won) ? won : tooLate();
                    case NO, NONE ->
                        new AcquireDecision.Open(decision.votes()
                                .shortfall("too few nodes kept the lock until its token was known to enough"));
                });
    }

    /** Clocks may run at slightly different rates, so a lease counts for less than what was promised. */
    private boolean isOfUse(Won won) {
        Duration drift = won.promised().dividedBy(DRIFT_SHARE).plus(FIXED_DRIFT);
        return took().plus(drift).compareTo(won.promised()) < 0;
    }

    private AcquireDecision tooLate() {
        return new AcquireDecision.Open(StoreException.unknown(
                "the votes took %d ms, too much of a lease of %d ms".formatted(took().toMillis(), ttl.toMillis()),
                null));
    }

    Duration took() {
        return quorum.time().since(startedAt);
    }

    NodeCalls<AcquireResult> firstVote() {
        return firstVote;
    }

    /** Whether the node has granted the lock or may have done so. */
    static boolean mayHold(NodeAnswer<AcquireResult> vote) {
        return vote.answer() instanceof Granted || vote.isUnknown();
    }
}
