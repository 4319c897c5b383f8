package io.distributedlock.quorum;

import io.distributedlock.LockMode;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SystemScheduler;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.NodeInspection;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreLimits;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Locks kept by a majority of independent stores, such as five Redis masters that know nothing of each other (the
 * Redlock algorithm).
 *
 * <p>Guaranteed: a lock is granted when a majority of the nodes granted it, so at most one owner holds it as long as a
 * majority keeps its data and its clocks run at about the same rate. The loss of a minority, be it dead, silent or
 * slow, stops no lock. A node without a definite answer has no vote. Tokens grow from grant to grant as long as
 * the nodes keep their data; after one has lost it, unless another one's clock is ahead by the quarantine or more. What
 * a claim that ended has left at single nodes is taken back as soon as they can be reached.
 *
 * <p>Not guaranteed: exclusion when so many nodes lose their data that two majorities have no node with data in common,
 * and exclusion of a holder that was paused; only a resource that compares tokens can refuse that one. Majorities are
 * of no use if nodes share a machine or a disk, and a cluster or a replica is not an independent node.
 *
 * <p>Locks are not shared, because nothing could be said of the shares that a minority knows of. No node grants the
 * lock to a claim that waits, because they could give it to different ones: a claim that is refused leaves hints at the
 * nodes that can keep them, is notified of the release, and tries again; newcomers may be faster. Without hints, or if
 * a notification is lost, it comes back after a while. A claim is only known to the store object that it was made with.
 */
public final class QuorumLockStore implements LockStore, LockInspection, LockListing, NodeInspection {

    static final int ACQUIRES_BETWEEN_SWEEPS = 1_024;

    private final Map<Claim, QuorumHold> rounds = new ConcurrentHashMap<>();
    private final AtomicInteger acquires = new AtomicInteger();
    private final AtomicLong lastRound = new AtomicLong();
    private final Quorum quorum;

    /**
     * @param nodes an odd number of independent stores, at least three; they are closed with this store
     * @param nodeTimeout how long a vote on an acquire waits for a node; a silent one counts as unknown. For short
     *     leases it is shorter
     * @throws IllegalArgumentException if the number of nodes is even or below three, or a node is there twice
     */
    public QuorumLockStore(List<QuorumNode> nodes, Duration nodeTimeout) {
        this(nodes, nodeTimeout, new SystemScheduler());
    }

    QuorumLockStore(List<QuorumNode> nodes, Duration nodeTimeout, Scheduler time) {
        this.quorum = Quorum.of(new Nodes(nodes, nodeTimeout, time), time);
        nodes.forEach(node -> node.store()
                .onReachable(() ->
                        time.after(Duration.ZERO, () -> quorum.withdrawals().reached(node))));
    }

    @Override
    public StoreLimits limits() {
        return new StoreLimits(
                Set.of(LockMode.EXCLUSIVE),
                quorum.nodes().longestLease(),
                quorum.nodes().commandTimeout());
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        if (claim.isShared()) {
            return CompletableFuture.failedFuture(StoreException.refused("a quorum keeps exclusive locks only", null));
        }
        if (acquires.incrementAndGet() % ACQUIRES_BETWEEN_SWEEPS == 0) {
            rounds.values().removeIf(QuorumHold::hasExpired);
        }
        String owner = claim.owner() + "." + lastRound.incrementAndGet();
        Claim fenced = new Claim(claim.id(), owner, LockMode.EXCLUSIVE, true);
        QuorumHold fresh = new QuorumHold(quorum, claim, fenced, ttl, patience);
        QuorumHold round =
                rounds.compute(claim, (same, present) -> present == null || present.isOver() ? fresh : present);
        return round == fresh ? started(claim, round) : round.again(ttl);
    }

    private CompletionStage<AcquireResult> started(Claim claim, QuorumHold round) {
        return round.start().whenComplete((attempt, failure) -> forgetIfOver(claim, round));
    }

    private void forgetIfOver(Claim claim, QuorumHold round) {
        if (round.isOver()) {
            rounds.remove(claim, round);
        }
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        QuorumHold round = rounds.get(claim);
        return round == null
                ? CompletableFuture.completedFuture(Duration.ZERO)
                : round.extend(token, ttl).whenComplete((left, failure) -> forgetIfOver(claim, round));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        quorum.nodes().all().forEach(node -> node.withdraw(claim));
        QuorumHold round = rounds.remove(claim);
        CompletionStage<Release> ending = round == null
                ? CompletableFuture.completedFuture(
                        Release.of(false, !quorum.withdrawals().anyOf(claim)))
                : round.release();
        quorum.splitVotes().forget(claim);
        return ending;
    }

    /** The client of a claim that is not this store's is notified by the nodes. */
    @Override
    public CompletionStage<Release> forceRelease(Claim claim) {
        return rounds.containsKey(claim) ? release(claim) : releaseOfStranger(claim);
    }

    /** At a majority. A claim of this store was ended before, and its nodes keep the lock for it. */
    @Override
    public CompletionStage<Boolean> replace(Claim claim, String owner, Duration lease) {
        QuorumHold round = rounds.get(claim);
        Claim known = round == null ? claim : new Claim(claim.id(), round.owner());
        return quorum.nodes()
                .ask(node -> Nodes.replace(node, known, owner, lease))
                .decide(votes -> Majority.of(votes, quorum.nodes(), replaced -> replaced))
                .thenApply(decision -> decision.isYesUnlessTooFew("confirmed that they keep the lock closed"));
    }

    /** The nodes know a claim by the owner of its round. */
    @Override
    public void onForceReleased(Consumer<Predicate<String>> hook) {
        quorum.nodes()
                .onForceReleased(released -> rounds.forEach((claim, round) -> {
                    if (released.test(round.owner())) {
                        hook.accept(claim.owner()::equals);
                    }
                }));
    }

    /** What its own process still sends to the nodes can't be known. */
    private CompletionStage<Release> releaseOfStranger(Claim claim) {
        return quorum.nodes()
                .ask(node -> Nodes.forceRelease(node, claim))
                .decide(votes -> Majority.of(votes, quorum.nodes(), Release::held))
                .thenApply(decision -> Release.of(decision.isYesUnlessTooFew("confirmed the release"), false));
    }

    /**
     * What a majority of the nodes has for this id. What only a minority has is no lock. Fails if so many nodes are
     * silent that the others can't tell. The owner that is found can be released, also if it is one of another process.
     */
    @Override
    public CompletionStage<Optional<StoredLock>> find(String id) {
        return quorum.nodes()
                .find(id)
                .decide(votes -> LockLookup.of(votes, quorum.nodes()))
                .thenApply(finding -> {
                    if (!finding.isCertain()) {
                        throw finding.votes().shortfall("too few nodes answered who holds the lock");
                    }
                    return finding.lock().map(lock -> withOwnerOfClaim(id, lock));
                });
    }

    /** The locks that one node keeps. Nothing that concerns a majority is asked. */
    @Override
    public CompletionStage<Page> list(@Nullable String cursor, int limit) {
        Map<String, String> own = rounds.entrySet().stream()
                .collect(Collectors.toMap(
                        round -> round.getValue().owner(),
                        round -> round.getKey().owner(),
                        (one, other) -> one));
        return new NodeListing(quorum.nodes()).list(cursor, limit, owner -> own.getOrDefault(owner, owner));
    }

    /** The same at all nodes. */
    @Override
    public Optional<String> storeKey(String id) {
        return quorum.nodes().all().get(0).store() instanceof LockInspection node
                ? node.storeKey(id)
                : Optional.empty();
    }

    /** Each node by its name. */
    @Override
    public Map<String, String> description() {
        return quorum.nodes().descriptions();
    }

    private StoredLock withOwnerOfClaim(String id, StoredLock lock) {
        String owner = lock.owners().get(0);
        for (Map.Entry<Claim, QuorumHold> known : rounds.entrySet()) {
            if (known.getValue().owner().equals(owner) && known.getKey().id().equals(id)) {
                return new StoredLock(known.getKey().owner(), lock.remaining(), lock.waiting());
            }
        }
        return lock;
    }

    @Override
    public Optional<ClientRoster> roster() {
        return Optional.of(new NodeRosters(quorum.nodes()));
    }

    /** The round stays known until its lease has expired, because the claim may be released before. */
    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        QuorumHold round = rounds.get(claim);
        return round == null ? CompletableFuture.completedFuture(false) : round.keep(time);
    }

    /** How many releases at single nodes are still under way or have to be repeated. */
    public int unfinishedReleases() {
        return quorum.withdrawals().size();
    }

    /** Completes when a majority of the nodes can be sent commands. */
    @Override
    public CompletionStage<?> ready() {
        return quorum.nodes()
                .ask(node -> node.store().ready())
                .decide(votes -> Majority.ofAnswers(votes, quorum.nodes()))
                .thenAccept(decision -> {
                    if (decision.majority() != Majority.YES) {
                        StoreException cause = decision.votes().shortfall("too few nodes can be reached");
                        throw StoreException.notSent(String.valueOf(cause.getMessage()), cause);
                    }
                });
    }

    /** A node is silent that does not answer within the node timeout, or refuses to renew or release locks. */
    @Override
    public CompletionStage<NodeInspection.NodeHealth> nodes() {
        return quorum.nodes().inspect();
    }

    /** The hook runs each time a node becomes reachable again, because it may have lost what it kept. */
    @Override
    public void onReachable(Runnable hook) {
        quorum.nodes().all().forEach(node -> node.store().onReachable(hook));
    }

    @Override
    public void close() {
        quorum.time().close();
        quorum.nodes().all().forEach(node -> node.store().close());
    }
}
