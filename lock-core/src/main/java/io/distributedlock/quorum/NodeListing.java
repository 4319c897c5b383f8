package io.distributedlock.quorum;

import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockListing.Page;
import io.distributedlock.spi.NodeInspection.NodeHealth;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoredLock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one node that answers, the same for all pages. That is not what a majority says: a lock that this node
 * missed is not listed, and one that is listed may be free. The page says so.
 */
final class NodeListing {

    private static final String SEPARATOR = "/";

    private final Nodes nodes;

    NodeListing(Nodes nodes) {
        this.nodes = nodes;
    }

    /** @param owner what a lock's owner is called here */
    CompletionStage<Page> list(@Nullable String cursor, int limit, Function<String, String> owner) {
        CompletionStage<Page> page =
                cursor == null ? nodes.inspect().thenCompose(health -> first(health, limit)) : at(cursor, limit);
        return page.thenApply(found -> new Page(
                found.locks().stream().map(lock -> renamed(lock, owner)).toList(), found.next(), found.source()));
    }

    private CompletionStage<Page> first(NodeHealth health, int limit) {
        for (int i = 0; i < nodes.all().size(); i++) {
            if (!health.silent().containsKey(nodes.all().get(i).name())
                    && nodes.all().get(i).store() instanceof LockListing) {
                return page(i, null, limit);
            }
        }
        Map<String, String> silent = health.silent();
        return CompletableFuture.failedFuture(
                StoreException.notSent("no node of the quorum can list its locks " + silent, null));
    }

    private CompletionStage<Page> at(String cursor, int limit) {
        int end = cursor.indexOf(SEPARATOR);
        String number = end < 0 ? "" : cursor.substring(0, end);
        return number.matches("\\d{1,3}")
                        && Integer.parseInt(number) < nodes.all().size()
                ? page(Integer.parseInt(number), cursor.substring(end + 1), limit)
                : CompletableFuture.failedFuture(
                        StoreException.refused("this is no cursor of a list of locks; begin again without one", null));
    }

    private CompletionStage<Page> page(int number, @Nullable String cursor, int limit) {
        QuorumNode node = nodes.all().get(number);
        if (!(node.store() instanceof LockListing listing)) {
            return CompletableFuture.failedFuture(StoreException.refused("this node lists no locks", null));
        }
        String source = "%s, one of %d nodes: what a majority of them says may differ"
                .formatted(node.name(), nodes.all().size());
        return listing.list(cursor, limit)
                .thenApply(page ->
                        new Page(page.locks(), page.next() == null ? null : number + SEPARATOR + page.next(), source));
    }

    /** Who waits is notified of a release by each node, so the hints of this one are those who wait. */
    private static ListedLock renamed(ListedLock lock, Function<String, String> owner) {
        StoredLock stored = lock.lock();
        List<String> owners = stored.owners().stream().map(owner).toList();
        return new ListedLock(
                lock.id(), new StoredLock(stored.mode(), owners, stored.remaining(), stored.waiting()), lock.waiters());
    }
}
