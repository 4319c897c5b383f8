package io.distributedlock.redis.listing;

import io.distributedlock.LockMode;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockListing.WaitingClaim;
import io.distributedlock.spi.StoredLock;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what one key says about a lock, and those beside it, by plain commands. What the user may not read is left out.
 * Other keys that look like a lock are read as a lock is, unless they are no texts.
 */
final class LockReader {

    private static final String MARK = "!";
    private static final String SHARED = "~shared";

    /** See {@code grant_next.lua}: lease, patience, channel, number, owner, kind. */
    private static final Pattern MEMBER = Pattern.compile("\\d+ (\\d+) \\S+ \\d+ (\\S+) ?[a-z]*");

    /** Some of the claims in a queue may have given up. */
    private static final int MEMBERS = 2 * LockListing.MAX_WAITERS;

    private final RedisClusterAsyncCommands<String, String> commands;
    private final LockKeys keys;

    LockReader(RedisClusterAsyncCommands<String, String> commands, LockKeys keys) {
        this.commands = commands;
        this.keys = keys;
    }

    /**
     * Empty if it is free by now.
     *
     * @param now the time of its server in microseconds
     */
    CompletableFuture<Optional<ListedLock>> read(String lock, long now) {
        CompletionStage<Optional<String>> value = commands.get(lock).handle(LockReader::text);
        CompletionStage<Long> left = commands.pttl(lock);
        return value.thenCombine(
                        left,
                        (text, millis) -> text.filter(any -> millis >= -1)
                                .map(any -> read(lock, any, millis, now))
                                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())))
                .thenCompose(found -> found)
                .toCompletableFuture();
    }

    private static Optional<String> text(@Nullable String value, @Nullable Throwable failure) {
        if (failure != null) {
            RedisReplies.flagOfFailure(failure);
        }
        return Optional.ofNullable(value);
    }

    private CompletableFuture<Optional<ListedLock>> read(String lock, String value, long millis, long now) {
        Duration left = millis < 0 ? null : Duration.ofMillis(millis);
        if (value.startsWith(SHARED)) {
            return owners(lock, now)
                    .thenCombine(
                            queue(lock, now),
                            (owners, queue) -> owners.isEmpty()
                                    ? Optional.<ListedLock>empty()
                                    : Optional.of(listed(
                                            lock, new StoredLock(LockMode.SHARED, owners, left, queue.size()), queue)))
                    .toCompletableFuture();
        }
        if (!value.endsWith(MARK)) {
            Queue empty = new Queue(0, List.of());
            return CompletableFuture.completedFuture(
                    Optional.of(listed(lock, new StoredLock(value, left, empty.size()), empty)));
        }
        String owner = value.substring(0, value.length() - MARK.length());
        return queue(lock, now)
                .thenApply(queue -> Optional.of(listed(lock, new StoredLock(owner, left, queue.size()), queue)))
                .toCompletableFuture();
    }

    private ListedLock listed(String lock, StoredLock stored, Queue queue) {
        return new ListedLock(keys.id(lock), stored, queue.first());
    }

    /** Those whose shares have not ended. */
    private CompletionStage<List<String>> owners(String lock, long now) {
        Range<Long> later = Range.from(Range.Boundary.excluding(now / 1_000), Range.Boundary.unbounded());
        return ifAllowed(commands.zrangebyscore(LockKeys.shares(lock), later, Limit.create(0, LockListing.MAX_OWNERS)))
                .thenApply(owners -> owners.orElseGet(() -> List.of(SHARED)));
    }

    private CompletionStage<Queue> queue(String lock, long now) {
        CompletionStage<Optional<Long>> size = ifAllowed(commands.zcard(LockKeys.queue(lock)));
        return ifAllowed(commands.zrangeWithScores(LockKeys.queue(lock), 0, MEMBERS - 1))
                .thenCombine(size, (members, count) -> queue(members.orElseGet(List::of), count, now));
    }

    private static Queue queue(List<ScoredValue<String>> members, Optional<Long> count, long now) {
        List<WaitingClaim> waiting =
                members.stream().flatMap(member -> waiting(member, now)).toList();
        long gone = members.size() - waiting.size();
        return new Queue(
                count.map(all -> (int) Math.max(waiting.size(), all - gone)).orElse(null),
                waiting.stream().limit(LockListing.MAX_WAITERS).toList());
    }

    private static Stream<WaitingClaim> waiting(ScoredValue<String> member, long now) {
        Matcher parts = MEMBER.matcher(member.getValue());
        if (!parts.matches()) {
            return Stream.empty();
        }
        Duration waited = Duration.ofMillis(Math.max(0, (now - (long) member.getScore()) / 1_000));
        return waited.toMillis() > Long.parseLong(parts.group(1))
                ? Stream.empty()
                : Stream.of(new WaitingClaim(parts.group(2), waited));
    }

    /** Empty if the server has refused it. */
    private static <T> CompletionStage<Optional<T>> ifAllowed(CompletionStage<T> answer) {
        return answer.handle((value, failure) -> {
            if (failure != null && RedisReplies.errorOf(failure).isEmpty()) {
                throw new CompletionException(failure);
            }
            return Optional.ofNullable(value);
        });
    }

    /** @param size null if it is not known */
    private record Queue(@Nullable Integer size, List<WaitingClaim> first) {}
}
