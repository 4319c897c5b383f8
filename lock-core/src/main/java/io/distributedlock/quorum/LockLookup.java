package io.distributedlock.quorum;

import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decision on the owner of a lock, from the nodes' answers.
 *
 * @param lock what a majority keeps for one owner; empty if the lock is free, whatever single nodes keep, or if that is
 *     unknown
 * @param isCertain whether no answer that is missing could change it
 */
record LockLookup(Optional<StoredLock> lock, boolean isCertain, NodeAnswers<Optional<StoredLock>> votes) {

    private static final Comparator<@Nullable Duration> LONGEST_FIRST =
            Comparator.nullsFirst(Comparator.reverseOrder());

    static Optional<LockLookup> of(NodeAnswers<Optional<StoredLock>> votes, Nodes nodes) {
        List<StoredLock> most = keptForOneOwner(votes);
        if (most.size() >= nodes.quorum()) {
            return Optional.of(new LockLookup(Optional.of(majority(most, nodes.quorum())), true, votes));
        }
        int silent = votes.pending() + votes.failures();
        if (most.size() + silent < nodes.quorum()) {
            return Optional.of(new LockLookup(Optional.empty(), true, votes));
        }
        return votes.areComplete() ? Optional.of(new LockLookup(Optional.empty(), false, votes)) : Optional.empty();
    }

    private static List<StoredLock> keptForOneOwner(NodeAnswers<Optional<StoredLock>> votes) {
        return votes.cast().stream()
                .map(NodeAnswer::answer)
                .filter(Objects::nonNull)
                .flatMap(Optional::stream)
                .collect(Collectors.groupingBy(StoredLock::owners))
                .values()
                .stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
    }

    /** It is held as long as so many nodes keep it. Who waits is not known to any of them. */
    private static StoredLock majority(List<StoredLock> kept, int quorum) {
        StoredLock last = kept.stream()
                .sorted(Comparator.comparing(StoredLock::remaining, LONGEST_FIRST))
                .toList()
                .get(quorum - 1);
        return new StoredLock(last.mode(), last.owners(), last.remaining(), null);
    }
}
