package io.distributedlock.quorum;

import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * What has to be taken back from single nodes: the releases of owners that are over, each repeated until its node has
 * said that it is done, or until whatever was written has expired by itself. The engine can't do it, because for its
 * part such a claim ended with a definite answer.
 */
final class PendingReleases {

    /** While so many are under way, further ones are sent only once. */
    static final int CAPACITY = 10_000;

    private static final Duration TICK = Duration.ofMillis(25);

    private final Set<PendingRelease> unfinished = ConcurrentHashMap.newKeySet();
    private final Map<Claim, Integer> counts = new ConcurrentHashMap<>();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final Scheduler time;

    PendingReleases(Scheduler time) {
        this.time = time;
    }

    /** Releases an owner at one node; the result is how the first release ends. */
    CompletionStage<Release> withdraw(QuorumNode node, Residue trace) {
        PendingRelease withdrawal = new PendingRelease(node, trace, this);
        if (unfinished.size() >= CAPACITY) {
            return withdrawal.start();
        }
        counts.merge(trace.claim(), 1, Integer::sum);
        unfinished.add(withdrawal);
        CompletionStage<Release> first = withdrawal.start();
        tickIfNeeded();
        return first;
    }

    private void tickIfNeeded() {
        if (!unfinished.isEmpty() && ticking.compareAndSet(false, true)) {
            try {
                time.after(TICK, this::tick);
            } catch (RuntimeException | Error failed) {
                ticking.set(false);
                throw failed;
            }
        }
    }

    private void tick() {
        try {
            unfinished.forEach(PendingRelease::check);
        } finally {
            ticking.set(false);
            tickIfNeeded();
        }
    }

    void finished(PendingRelease withdrawal) {
        if (unfinished.remove(withdrawal)) {
            counts.computeIfPresent(withdrawal.claim(), (claim, count) -> count == 1 ? null : count - 1);
        }
    }

    boolean anyOf(Claim claim) {
        return counts.containsKey(claim);
    }

    /** Where an earlier owner of this claim may hold the lock: a refusal there says nothing about other claims. */
    Set<QuorumNode> nodesOf(Claim claim) {
        return anyOf(claim)
                ? unfinished.stream()
                        .filter(each -> each.claim().equals(claim))
                        .map(PendingRelease::node)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** The node is back: repeats its releases at once. */
    void reached(QuorumNode node) {
        unfinished.stream().filter(each -> each.node() == node).forEach(PendingRelease::release);
    }

    int size() {
        return unfinished.size();
    }

    Scheduler time() {
        return time;
    }
}
