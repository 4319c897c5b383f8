package io.distributedlock.quorum;

import io.distributedlock.quorum.AcquireDecision.Lost;
import io.distributedlock.quorum.AcquireDecision.Won;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One owner at the nodes, from its election until its end. A claim that is refused begins its next try with a new
 * owner, so that a release of this one, executed late, can't take a vote from the next.
 *
 * <p>Open leads to granted or to over, granted to over. What is over is withdrawn from every node that may have
 * something of it.
 */
final class QuorumHold {

    private enum State {
        OPEN,
        GRANTED,
        OVER
    }

    /** A shorter lease is only asked for to learn whether the lock is held. */
    private static final Duration SHORTEST_REPAIR = Duration.ofMillis(50);

    private static final CompletableFuture<Boolean> NOTHING_SENT = CompletableFuture.completedFuture(false);

    /** By node, whether an acquire has taken the lock there, or may have; done when all have been answered. */
    private final Map<QuorumNode, CompletableFuture<Boolean>> taken = new ConcurrentHashMap<>();

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final CompletableFuture<AcquireResult> outcome = new CompletableFuture<>();
    private final Quorum quorum;
    private final Claim claim;
    private final Claim owner;
    private final Duration ttl;
    private final Duration patience;
    private final AtomicLong expiresAt;
    private volatile long token;
    private volatile boolean released;

    /**
     * @param owner what the nodes know the claim by, in this round only
     * @param patience how long the claim will go on waiting if it is refused
     */
    QuorumHold(Quorum quorum, Claim claim, Claim owner, Duration ttl, Duration patience) {
        this.quorum = quorum;
        this.claim = claim;
        this.owner = owner;
        this.ttl = ttl;
        this.patience = patience;
        this.expiresAt = new AtomicLong(quorum.time().now() + ttl.toNanos());
    }

    boolean isOver() {
        return state.get() == State.OVER;
    }

    /** What the nodes know the claim by. */
    String owner() {
        return owner.owner();
    }

    /** Whether all leases are over and none can begin any more, so that it can be forgotten without a release. */
    boolean hasExpired() {
        return quorum.time().until(expiresAt.get()).isZero()
                && taken.values().stream().allMatch(CompletableFuture::isDone);
    }

    CompletionStage<AcquireResult> start() {
        Set<QuorumNode> own = quorum.withdrawals().nodesOf(claim);
        TwoPhaseAcquire election =
                new TwoPhaseAcquire(quorum, owner, own, ttl, node -> node.acquire(owner, ttl, claim, patience));
        election.firstVote().eachAnswer((node, vote) -> note(node, ttl, vote));
        withdrawIfOver();
        election.decision().whenComplete((decision, broken) -> decided(election, decision, broken));
        return outcome.minimalCompletionStage();
    }

    private void decided(TwoPhaseAcquire election, @Nullable AcquireDecision decision, @Nullable Throwable broken) {
        if (decision instanceof Won won) {
            token = won.token();
            if (state.compareAndSet(State.OPEN, State.GRANTED)) {
                quorum.splitVotes().forget(claim);
                election.firstVote().each(vote -> vote.node().withdraw(claim));
                outcome.complete(new Granted(token, won.promised(), true));
                return;
            }
        }
        state.set(State.OVER);
        election.firstVote().each(vote -> {
            if (TwoPhaseAcquire.mayHold(vote)) {
                withdraw(vote.node(), decision instanceof Lost);
            }
        });
        if (decision instanceof Lost lost) {
            outcome.complete(refusal(lost, election));
        } else if (decision instanceof AcquireDecision.Open open) {
            outcome.completeExceptionally(open.failure());
        } else {
            outcome.completeExceptionally(
                    StoreException.unknown("the lock was released before it was granted", broken));
        }
    }

    /** Only a majority of hints is sure of a release; without it, and after a split vote, the claim polls. */
    private Refused refusal(Lost lost, TwoPhaseAcquire election) {
        Duration ending = lost.refusal().retryAfter();
        if (lost.hints() == 0 && !lost.split()) {
            return lost.refusal();
        }
        boolean looks = lost.split() || lost.hints() < quorum.nodes().quorum();
        Duration longest = looks ? quorum.splitVotes().next(claim, election.took()) : ending;
        if (patience.isZero() || released) {
            quorum.splitVotes().forget(claim);
        }
        ReleaseHints hints = new ReleaseHints(lost.lacking(), quorum.time());
        election.firstVote().each(vote -> {
            if (vote.answer() instanceof Refused refused) {
                hints.listen(refused);
            }
        });
        return new Refused(longest.compareTo(ending) < 0 ? longest : ending, lost.hints() > 0, hints.news());
    }

    /** The same owner asks once more. */
    CompletionStage<AcquireResult> again(Duration ttl) {
        if (state.get() != State.GRANTED) {
            return outcome.minimalCompletionStage();
        }
        writing(ttl);
        NodeCalls<AcquireResult> vote =
                quorum.nodes().askInTime(ttl, node -> node.store().acquire(owner, ttl, Duration.ZERO));
        vote.eachAnswer((node, answer) -> note(node, ttl, answer));
        withdrawIfOver();
        return vote.decide(votes -> AcquireCount.ofRepetition(votes, quorum.nodes()))
                .thenApply(decision -> {
                    if (decision instanceof Won won) {
                        return new Granted(token, won.promised(), false);
                    }
                    if (decision instanceof Lost lost) {
                        end();
                        return lost.refusal();
                    }
                    AcquireDecision.Open open = (AcquireDecision.Open) decision;
                    if (open.isOver()) {
                        end();
                    }
                    throw StoreException.unknown("too few nodes confirmed the lock", open.failure());
                });
    }

    CompletionStage<Duration> extend(long token, Duration ttl) {
        if (state.get() != State.GRANTED) {
            return CompletableFuture.completedFuture(Duration.ZERO);
        }
        writing(ttl);
        NodeCalls<Duration> vote = quorum.nodes().ask(node -> node.store().extend(owner, token, ttl));
        return vote.decide(votes -> Majority.of(votes, quorum.nodes(), left -> !left.isZero()))
                .thenApply(decision -> {
                    switch (decision.majority()) {
                        case YES -> vote.each(each -> repair(each, token, ttl));
                        case NO -> end();
                        case NONE -> throw decision.votes().shortfall("too few nodes confirmed the extension");
                    }
                    return decision.majority() == Majority.YES ? leftOf(decision.votes()) : Duration.ZERO;
                });
    }

    /** For so long a majority keeps the lock. */
    private Duration leftOf(NodeAnswers<Duration> votes) {
        return votes.cast().stream()
                .map(NodeAnswer::answer)
                .filter(Objects::nonNull)
                .sorted(Comparator.reverseOrder())
                .toList()
                .get(quorum.nodes().quorum() - 1);
    }

    /**
     * Writes the lock to a node that does not have it, while enough others do: so one that was restarted can replace
     * one that will fail.
     */
    private void repair(NodeAnswer<Duration> vote, long token, Duration ttl) {
        if (Duration.ZERO.equals(vote.answer())
                && ttl.compareTo(SHORTEST_REPAIR) >= 0
                && state.get() == State.GRANTED) {
            note(
                    vote.node(),
                    ttl,
                    NodeCalls.ask(vote.node(), node -> node.store().acquire(owner, ttl, Duration.ZERO)));
            NodeCalls.ask(vote.node(), node -> node.store().extend(owner, token, ttl));
            if (isOver()) {
                withdraw(vote.node(), false);
            }
        }
    }

    /** The claim does not come back: its back-off is to be forgotten after this. */
    CompletionStage<Release> release() {
        released = true;
        return end().decide(votes -> Majority.of(votes, quorum.nodes(), Release::held))
                .thenApply(decision -> Release.of(
                        decision.isYesUnlessTooFew("confirmed the release"),
                        !quorum.withdrawals().anyOf(claim)));
    }

    /** It is over for its owner, and the nodes end it by themselves. */
    CompletionStage<Boolean> keep(Duration time) {
        if (!state.compareAndSet(State.GRANTED, State.OVER)) {
            return CompletableFuture.completedFuture(false);
        }
        return quorum.nodes()
                .ask(node -> node.store().releaseAfter(owner, time))
                .decide(votes -> Majority.of(votes, quorum.nodes(), held -> held))
                .thenApply(decision -> decision.isYesUnlessTooFew("confirmed that they keep the lock"));
    }

    private NodeCalls<Release> end() {
        state.set(State.OVER);
        return quorum.nodes().ask(node -> withdraw(node, false));
    }

    /** @param unheard whether no waiter is notified, because others hold the lock: it would try in vain */
    private CompletionStage<Release> withdraw(QuorumNode node, boolean unheard) {
        CompletableFuture<Boolean> held = taken.getOrDefault(node, NOTHING_SENT);
        return quorum.withdrawals().withdraw(node, new Residue(claim, owner, expiresAt.get(), ttl, unheard, held));
    }

    /** The lease of a late grant begins late, too. */
    private void note(QuorumNode node, Duration ttl, CompletableFuture<NodeAnswer<AcquireResult>> acquire) {
        taken.merge(
                node,
                acquire.thenApply(vote -> {
                    boolean mayHold = TwoPhaseAcquire.mayHold(vote);
                    if (mayHold) {
                        writing(ttl);
                    }
                    return mayHold;
                }),
                (earlier, later) -> earlier.thenCombine(later, Boolean::logicalOr));
    }

    /** What was sent to the nodes while the round ended came behind its releases. */
    private void withdrawIfOver() {
        if (isOver()) {
            end();
        }
    }

    private void writing(Duration ttl) {
        long until = quorum.time().now() + ttl.toNanos();
        expiresAt.accumulateAndGet(until, (now, later) -> later - now > 0 ? later : now);
    }
}
