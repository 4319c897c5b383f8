package io.distributedlock.quorum;

import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** One question to all nodes, and their votes as they arrive. An answer after the limit is no vote. */
final class NodeCalls<T> {

    private final List<QuorumNode> nodes;
    private final List<CompletableFuture<NodeAnswer<T>>> answers;
    private final List<CompletableFuture<NodeAnswer<T>>> votes;

    NodeCalls(List<QuorumNode> nodes, Function<QuorumNode, CompletionStage<? extends T>> question) {
        this.nodes = nodes;
        this.answers = nodes.stream().map(node -> ask(node, question)).toList();
        this.votes = answers.stream().map(CompletableFuture::copy).toList();
    }

    /** Asks one node. */
    static <T> CompletableFuture<NodeAnswer<T>> ask(
            QuorumNode node, Function<QuorumNode, CompletionStage<? extends T>> question) {
        CompletableFuture<NodeAnswer<T>> vote = new CompletableFuture<>();
        try {
            question.apply(node).whenComplete((answer, failure) -> vote.complete(NodeAnswer.of(node, answer, failure)));
        } catch (RuntimeException thrown) {
            vote.complete(NodeAnswer.of(node, null, thrown));
        }
        return vote;
    }

    /** A node that has not voted within the limit has an unknown vote. */
    NodeCalls<T> closeAfter(Duration limit, Scheduler time) {
        CompletableFuture<Void> all = CompletableFuture.allOf(votes.toArray(CompletableFuture<?>[]::new));
        if (!all.isDone()) {
            Scheduler.Timer timer = time.after(limit, () -> close(limit));
            all.thenRun(timer::cancel);
        }
        return this;
    }

    private void close(Duration limit) {
        for (int i = 0; i < nodes.size(); i++) {
            StoreException silence = StoreException.unknown("no reply within " + limit.toMillis() + " ms", null);
            votes.get(i).complete(NodeAnswer.of(nodes.get(i), null, silence));
        }
    }

    /**
     * The first decision that a rule comes to.
     *
     * @param rule looks at the votes after each one; its decision must not change with further votes, and complete
     *     votes must decide
     */
    <R> CompletableFuture<R> decide(Function<NodeAnswers<T>, Optional<R>> rule) {
        CompletableFuture<R> decision = new CompletableFuture<>();
        votes.forEach(vote -> vote.thenRun(() -> {
            try {
                if (!decision.isDone()) {
                    rule.apply(soFar()).ifPresent(decision::complete);
                }
            } catch (RuntimeException broken) {
                decision.completeExceptionally(broken);
            }
        }));
        return decision;
    }

    private NodeAnswers<T> soFar() {
        List<NodeAnswer<T>> cast = votes.stream()
                .map(vote -> vote.getNow(null))
                .filter(Objects::nonNull)
                .toList();
        return new NodeAnswers<>(cast, nodes.size() - cast.size());
    }

    /** Shows every node with its answer, which may come later than its vote was waited for. */
    void eachAnswer(BiConsumer<QuorumNode, CompletableFuture<NodeAnswer<T>>> visitor) {
        for (int i = 0; i < nodes.size(); i++) {
            visitor.accept(nodes.get(i), answers.get(i));
        }
    }

    /** Shows every vote, now or when it arrives. */
    void each(Consumer<NodeAnswer<T>> visitor) {
        votes.forEach(vote -> vote.thenAccept(visitor));
    }
}
