package io.distributedlock.quorum;

import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockListing.Page;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a majority says about all locks, if those of each node fit on one page. Otherwise the locks of one node, the
 * same for all pages, and each page says so: a lock that this node missed is not listed then, and one that is may be
 * free.
 */
final class NodeListing {

    private static final String SEPARATOR = "/";

    private final Nodes nodes;

    NodeListing(Nodes nodes) {
        this.nodes = nodes;
    }

    /** @param owner what a lock's owner is called here */
    CompletionStage<Page> list(@Nullable String cursor, int limit, Function<String, String> owner) {
        CompletionStage<Page> page = cursor == null ? first(limit) : at(cursor, limit);
        return page.thenApply(found -> new Page(
                found.locks().stream().map(lock -> renamed(lock, owner)).toList(), found.next(), found.source()));
    }

    private CompletionStage<Page> first(int limit) {
        return nodes.<Page>askInTime(node -> page(node, null, limit))
                .decide(votes -> votes.areComplete() ? Optional.of(votes) : Optional.empty())
                .thenApply(this::first);
    }

    /** A node with more than a page comes first: one that has lost its data has less. */
    private Page first(NodeAnswers<Page> votes) {
        for (NodeAnswer<Page> vote : votes.cast()) {
            if (vote.answer() != null && vote.answer().next() != null) {
                return ofOne(vote.node(), vote.answer());
            }
        }
        if (votes.answers() == 0) {
            throw votes.shortfall("no node of the quorum can list its locks");
        }
        Map<String, Map<QuorumNode, ListedLock>> found = new LinkedHashMap<>();
        votes.cast().stream()
                .filter(NodeAnswer::isAnswer)
                .forEach(vote -> Objects.requireNonNull(vote.answer())
                        .locks()
                        .forEach(lock -> found.computeIfAbsent(lock.id(), id -> new LinkedHashMap<>())
                                .put(vote.node(), lock)));
        List<ListedLock> locks = found.values().stream()
                .flatMap(kept -> held(kept, votes).stream())
                .toList();
        String source = votes.failures() == 0
                ? null
                : "%d of %d nodes: no answer from %s"
                        .formatted(
                                votes.answers(),
                                nodes.all().size(),
                                votes.silences().keySet());
        return new Page(locks, null, source);
    }

    /**
     * As {@code find} would answer, and what silent nodes could decide as another has it. Who waits is notified of a
     * release by each node, so the hints of any are those who wait.
     */
    private Optional<ListedLock> held(Map<QuorumNode, ListedLock> kept, NodeAnswers<Page> votes) {
        List<NodeAnswer<Optional<StoredLock>>> answers = votes.cast().stream()
                .map(vote -> new NodeAnswer<>(
                        vote.node(), Optional.ofNullable(kept.get(vote.node())).map(ListedLock::lock), vote.failure()))
                .toList();
        ListedLock most = Collections.max(
                kept.values(), Comparator.comparingInt(lock -> lock.waiters().size()));
        return LockLookup.of(new NodeAnswers<>(answers, 0), nodes)
                .flatMap(found -> found.isCertain() ? found.lock() : Optional.of(most.lock()))
                .map(lock -> new StoredLock(
                        lock.mode(),
                        lock.owners(),
                        lock.remaining(),
                        most.lock().waiting()))
                .map(lock -> new ListedLock(most.id(), lock, most.waiters()));
    }

    private CompletionStage<Page> at(String cursor, int limit) {
        int end = cursor.indexOf(SEPARATOR);
        String number = end < 0 ? "" : cursor.substring(0, end);
        if (!number.matches("\\d{1,3}")
                || Integer.parseInt(number) >= nodes.all().size()) {
            return CompletableFuture.failedFuture(
                    StoreException.refused("this is no cursor of a list of locks; begin again without one", null));
        }
        QuorumNode node = nodes.all().get(Integer.parseInt(number));
        return page(node, cursor.substring(end + 1), limit).thenApply(page -> ofOne(node, page));
    }

    private static CompletionStage<Page> page(QuorumNode node, @Nullable String cursor, int limit) {
        return node.store() instanceof LockListing listing
                ? listing.list(cursor, limit)
                : CompletableFuture.failedFuture(StoreException.refused("this node lists no locks", null));
    }

    private Page ofOne(QuorumNode node, Page page) {
        String source = "%s, one of %d nodes: what a majority of them says may differ"
                .formatted(node.name(), nodes.all().size());
        String next = page.next() == null ? null : nodes.all().indexOf(node) + SEPARATOR + page.next();
        return new Page(page.locks(), next, source);
    }

    private static ListedLock renamed(ListedLock lock, Function<String, String> owner) {
        StoredLock stored = lock.lock();
        List<String> owners = stored.owners().stream().map(owner).toList();
        return new ListedLock(
                lock.id(), new StoredLock(stored.mode(), owners, stored.remaining(), stored.waiting()), lock.waiters());
    }
}
