package io.distributedlock.quorum;

import io.distributedlock.spi.ClientRoster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** Writes into the rosters of all nodes that can be reached, and reads from the first node that knows something. */
final class NodeRosters implements ClientRoster {

    private final Nodes nodes;

    NodeRosters(Nodes nodes) {
        this.nodes = nodes;
    }

    @Override
    public CompletionStage<?> publish(String client, String line, Duration life) {
        return written(roster -> roster.publish(client, line, life));
    }

    @Override
    public CompletionStage<?> withdraw(String client) {
        return written(roster -> roster.withdraw(client));
    }

    @Override
    public CompletionStage<Optional<Entry>> look(String client) {
        return first(roster -> roster.look(client), Optional::isPresent, Optional.empty());
    }

    @Override
    public CompletionStage<?> record(String name, String line, int kept, Duration life) {
        return written(roster -> roster.record(name, line, kept, life));
    }

    @Override
    public CompletionStage<List<String>> records(String name) {
        return first(roster -> roster.records(name), lines -> !lines.isEmpty(), List.of());
    }

    /** What a silent node misses of a client is written again, and of a lock is at the others. */
    private CompletionStage<?> written(Function<ClientRoster, CompletionStage<?>> change) {
        nodes.<Object>ask(node -> node.store().roster().isPresent()
                ? change.apply(node.store().roster().get())
                : CompletableFuture.completedFuture(null));
        return CompletableFuture.completedFuture(null);
    }

    private <T> CompletionStage<T> first(
            Function<ClientRoster, CompletionStage<T>> question, Predicate<T> knows, T nothing) {
        return nodes.<T>askInTime(node ->
                        node.store().roster().map(question).orElseGet(() -> CompletableFuture.completedFuture(nothing)))
                .decide(votes -> votes.cast().stream()
                        .map(NodeAnswer::answer)
                        .filter(answer -> answer != null && knows.test(answer))
                        .findFirst()
                        .or(() -> votes.areComplete() ? Optional.of(nothing) : Optional.empty()));
    }
}
