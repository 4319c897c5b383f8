package io.distributedlock.quorum;

import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.NodeInspection;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The independent stores of a quorum, and how to ask all of them. */
final class Nodes {

    private static final int MIN_NODES = 3;
    private static final String PROBE = "distributed-lock:health";

    private final List<QuorumNode> all;
    private final Duration timeout;
    private final Scheduler time;
    private final Optional<Duration> longestLease;

    Nodes(List<QuorumNode> all, Duration timeout, Scheduler time) {
        this.all = List.copyOf(all);
        this.timeout = timeout;
        this.time = time;
        this.longestLease = all.stream()
                .flatMap(node -> node.store().limits().longestLease().stream())
                .min(Comparator.naturalOrder());
        requireMajorities();
        requireIndependence();
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("The node timeout has to be positive, but is " + timeout);
        }
    }

    private void requireMajorities() {
        int count = all.size();
        if (count < MIN_NODES) {
            throw new IllegalArgumentException(
                    ("A quorum needs at least 3 nodes, but there are %d. With fewer, the loss of one stops all locks:"
                                    + " use one Redis, or Sentinel, instead")
                            .formatted(count));
        }
        if (count % 2 == 0) {
            throw new IllegalArgumentException(
                    ("A quorum needs an odd number of nodes, but there are %d. They survive the loss of %d nodes, as %d"
                                    + " nodes do: remove one or add one")
                            .formatted(count, (count - 1) / 2, count - 1));
        }
    }

    private void requireIndependence() {
        Set<String> names = new HashSet<>();
        Map<LockStore, QuorumNode> stores = new IdentityHashMap<>();
        for (QuorumNode node : all) {
            QuorumNode other = stores.put(node.store(), node);
            if (!names.add(node.name()) || other != null) {
                throw new IllegalArgumentException(
                        ("The quorum node '%s' is there twice. A node with two votes is no majority: name each"
                                        + " server once")
                                .formatted(node.name()));
            }
        }
    }

    List<QuorumNode> all() {
        return all;
    }

    /** How many nodes decide: any two sets of so many have a node in common. */
    int quorum() {
        return all.size() / 2 + 1;
    }

    /** Whether so many votes against something leave too few for it. */
    boolean rulesOut(int against) {
        return against > all.size() - quorum();
    }

    /** The longest time for which a node waits for answers; empty if none has connections. */
    Optional<Duration> commandTimeout() {
        return all.stream()
                .flatMap(node -> node.store().limits().commandTimeout().stream())
                .max(Comparator.naturalOrder());
    }

    /** The longest lease that every node allows; empty if none limits it. */
    Optional<Duration> longestLease() {
        return longestLease;
    }

    /** Asks each node something that concerns no lock. */
    CompletionStage<NodeInspection.NodeHealth> inspect() {
        return askInTime(Nodes::answer)
                .decide(votes -> votes.areComplete()
                        ? Optional.of(new NodeInspection.NodeHealth(all.size(), quorum(), votes.silences()))
                        : Optional.empty());
    }

    /** What each node has for this id. */
    NodeCalls<Optional<StoredLock>> find(String id) {
        return askInTime(node -> {
            if (node.store() instanceof LockInspection inspection) {
                return inspection.find(id);
            }
            throw StoreException.notSent("this store can't find the holder of a lock", null);
        });
    }

    /** Releases a claim that was found at this node. */
    static CompletionStage<Release> forceRelease(QuorumNode node, Claim claim) {
        return node.store() instanceof LockInspection inspection
                ? inspection.forceRelease(claim)
                : node.store().release(claim);
    }

    /** Gives a lock that was found at this node to another owner. */
    static CompletionStage<Boolean> replace(QuorumNode node, Claim claim, String owner, Duration lease) {
        return node.store() instanceof LockInspection inspection
                ? inspection.replace(claim, owner, lease)
                : CompletableFuture.completedFuture(false);
    }

    /** Registers a hook for forced releases at each node that reports them. */
    void onForceReleased(Consumer<Predicate<String>> hook) {
        for (QuorumNode node : all) {
            if (node.store() instanceof LockInspection inspection) {
                inspection.onForceReleased(hook);
            }
        }
    }

    /**
     * Only a command shows whether a node answers: the end of its connection may not have been noticed. One that
     * refuses to renew or release locks is of no more use than a silent one.
     */
    private static CompletionStage<?> answer(QuorumNode node) {
        return node.store() instanceof LockInspection inspection
                ? inspection.find(PROBE).thenApply(found -> {
                    inspection.problem().ifPresent(problem -> {
                        throw StoreException.refused(problem, null);
                    });
                    return found;
                })
                : node.store().ready();
    }

    /** What is known of each node that says it, in one line, by its name. */
    Map<String, String> descriptions() {
        Map<String, String> lines = new LinkedHashMap<>();
        for (QuorumNode node : all) {
            if (node.store() instanceof LockInspection inspection
                    && !inspection.description().isEmpty()) {
                lines.put(
                        node.name(),
                        inspection.description().entrySet().stream()
                                .map(fact -> fact.getKey() + ": " + fact.getValue())
                                .collect(Collectors.joining(", ")));
            }
        }
        return Collections.unmodifiableMap(lines);
    }

    <T> NodeCalls<T> ask(Function<QuorumNode, CompletionStage<? extends T>> question) {
        return new NodeCalls<>(all, question);
    }

    <T> NodeCalls<T> askInTime(Function<QuorumNode, CompletionStage<? extends T>> question) {
        return this.<T>ask(question).closeAfter(timeout, time);
    }

    /**
     * The same, and a node that is silent for too long counts as unknown: an acquire asks two questions within the
     * fifth of the lease that it may take.
     */
    <T> NodeCalls<T> askInTime(Duration ttl, Function<QuorumNode, CompletionStage<? extends T>> question) {
        Duration tenth = ttl.dividedBy(10);
        Duration limit = timeout.compareTo(tenth) < 0 ? timeout : tenth;
        return this.<T>ask(question).closeAfter(limit, time);
    }
}
