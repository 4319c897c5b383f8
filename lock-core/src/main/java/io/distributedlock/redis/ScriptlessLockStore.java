package io.distributedlock.redis;

import io.distributedlock.LockMode;
import io.distributedlock.internal.support.Trampoline;
import io.distributedlock.internal.support.Warnings;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.PlainCommands;
import io.distributedlock.redis.script.PlainDialect;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.redis.server.RefusedCommands.Kind;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive locks in a Redis that runs no scripts. A lock is taken by {@code SET NX}, and released and extended by
 * commands that compare its value with the owner: see {@link PlainDialect}. Keys and values are those of {@link
 * RedisLockStore}, so that clients of both kinds exclude each other, and one can go on where the other was.
 *
 * <p>Guaranteed as there: each verb is idempotent for its owner and never touches another owner's lock. No lock is
 * taken as long as it is not known how it could be released.
 *
 * <p>Missing is what takes more than one key, or an answer before a write: the queue, so that waiters poll; shared
 * locks; fencing tokens. A full server refuses extensions. The user needs {@code +set +get +getex +pttl} and the
 * commands of one dialect.
 */
final class ScriptlessLockStore implements LockStore, OnDemandTokens {

    private static final String WITHOUT_SCRIPTS =
            " needs scripts, which Redis refuses to the locks' user, or distributed-lock.redis.scripts=never forbids. ";
    private static final String ALLOW = ", or allow them: +eval +evalsha";

    /** What a client with scripts puts behind the owner while claims are queued. */
    private static final String MARK = "!";

    private static final String SHARED = "~shared";
    private static final long NO_EXPIRY = -1;
    private static final Duration NEVER = Duration.ofDays(365);
    private static final int MARKS = 3;

    private enum Comparison {
        EQUAL,
        ABSENT,
        OTHER
    }

    /** The last extension of each owner that is on its way, so that a longer one is not overtaken by a shorter one. */
    private final Map<String, CompletableFuture<?>> turns = new ConcurrentHashMap<>();

    /** The shortest extension of each owner that has got no answer, and may cut a longer one short if executed late. */
    private final Map<String, Duration> unanswered = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable CompletableFuture<PlainDialect>> dialect = new AtomicReference<>();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final RedisLockConnection redis;
    private final LockKeys keys;
    private final RefusedCommands refused;

    /** @param redis not opened yet */
    ScriptlessLockStore(RedisLockConnection redis, LockKeys keys, RefusedCommands refused) {
        this.redis = redis;
        this.keys = keys;
        this.refused = refused;
        redis.onReachable(() -> dialect.set(null));
    }

    /** For each connection anew: it may lead to another server. */
    private CompletableFuture<PlainDialect> dialect() {
        CompletableFuture<PlainDialect> known = dialect.get();
        if (known != null && !known.isCompletedExceptionally()) {
            return known;
        }
        CompletableFuture<PlainDialect> fresh = new CompletableFuture<>();
        if (!dialect.compareAndSet(known, fresh)) {
            return dialect();
        }
        redis.plain(commands -> PlainDialect.of(commands, keys.lock("distributed-lock:unused")))
                .whenComplete((found, failure) -> {
                    if (failure == null) {
                        fresh.complete(found);
                    } else {
                        StoreException none = RedisReplies.failure(failure);
                        if (none.isDenied()) {
                            warn(none);
                            redis.needsScripts();
                        }
                        fresh.completeExceptionally(none);
                    }
                });
        return fresh;
    }

    private void warn(StoreException none) {
        if (warned.compareAndSet(false, true)) {
            Warnings.write(ScriptlessLockStore.class, "No lock can be kept at this Redis: " + none.getMessage());
        }
    }

    /** An answer in the dialect of the server. After one that it does not know any more, it is asked again. */
    private <T> CompletionStage<T> speaking(Function<PlainDialect, CompletionStage<T>> call) {
        CompletableFuture<PlainDialect> spoken = dialect();
        return spoken.thenCompose(call).whenComplete((answer, failure) -> {
            if (failure != null && PlainDialect.isMissing(failure)) {
                dialect.compareAndSet(spoken, null);
            }
        });
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        if (claim.isShared()) {
            return refusedShare();
        }
        if (claim.fenced()) {
            return refused("a fencing token" + WITHOUT_SCRIPTS + "Request the lock without withFencing() and"
                    + " @FencingToken" + ALLOW);
        }
        String lock = keys.lock(claim.id());
        return speaking(known -> redis.plain(commands -> PlainCommands.setIfAbsent(commands, lock, claim.owner(), ttl))
                .thenCompose(taken -> taken
                        ? CompletableFuture.completedFuture(new Granted(0, ttl, true))
                        : look(known, lock, claim.owner(), ttl)));
    }

    /** Also of one that scripts have granted before: plain commands can neither extend nor release it. */
    private static <T> CompletionStage<T> refusedShare() {
        return refused("a shared lock" + WITHOUT_SCRIPTS + "Take it exclusively" + ALLOW);
    }

    private static <T> CompletionStage<T> refused(String reason) {
        return CompletableFuture.failedFuture(StoreException.denied(reason, null));
    }

    /**
     * Whose lock it is that could not be taken: the claim's own, if an earlier try took it whose answer was lost. The
     * time is read before the owner. So it is the claim's time, or that of one before it, and then the claim's lease
     * began later and lasts for the whole ttl.
     */
    private CompletionStage<AcquireResult> look(PlainDialect known, String lock, String owner, Duration ttl) {
        CompletionStage<Long> time = millisLeft(lock);
        CompletionStage<Optional<String>> value = value(known, lock);
        return time.thenCombine(value, (millis, holder) -> {
            Duration left = millis == NO_EXPIRY ? NEVER : Duration.ofMillis(Math.max(0, millis));
            if (holder.filter(found -> belongs(found, owner)).isPresent()) {
                return new Granted(0, left.compareTo(ttl) < 0 ? left : ttl, false);
            }
            return new Refused(holder.isPresent() ? left : Duration.ZERO, false, new CompletableFuture<>());
        });
    }

    private CompletionStage<Long> millisLeft(String lock) {
        return redis.plain(commands -> PlainCommands.millisLeft(commands, lock));
    }

    private CompletionStage<Optional<String>> value(PlainDialect known, String lock) {
        return redis.plain(commands -> known.value(commands, lock));
    }

    private static boolean belongs(String value, String owner) {
        return value.equals(owner) || value.equals(owner + MARK);
    }

    /** The extensions of one owner are made one after another; each reads what is left before it writes. */
    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        CompletionStage<Duration> answer = claim.isShared() ? refusedShare() : extendExclusive(claim, ttl);
        return answer.whenComplete((left, failure) -> refused.ended(Kind.RENEWAL, failure));
    }

    private CompletionStage<Duration> extendExclusive(Claim claim, Duration ttl) {
        String lock = keys.lock(claim.id());
        return inTurn(
                        claim.owner(),
                        () -> speaking(known -> millisLeft(lock)
                                .thenCompose(millis -> millis >= Math.max(1, ttl.toMillis())
                                        ? left(known, lock, claim.owner(), Duration.ofMillis(millis))
                                        : stretch(known, lock, claim.owner(), ttl))))
                .exceptionally(ScriptlessLockStore::notHeld)
                .thenApply(left -> {
                    if (left.isZero()) {
                        unanswered.remove(claim.owner());
                    }
                    return left;
                });
    }

    private static Duration notHeld(Throwable failure) {
        RedisReplies.flagOfFailure(failure);
        return Duration.ZERO;
    }

    private <T> CompletionStage<T> inTurn(String owner, Supplier<CompletionStage<T>> call) {
        CompletableFuture<?> end = new CompletableFuture<>();
        CompletableFuture<?> before = turns.put(owner, end);
        return (before == null ? CompletableFuture.completedFuture(null) : before)
                .thenCompose(over -> call.get())
                .whenComplete((answer, failure) -> {
                    turns.remove(owner, end);
                    passOn(end, failure != null);
                });
    }

    /** A connection that is just failing all that it carries must be through with that before it is given more. */
    private void passOn(CompletableFuture<?> turn, boolean failed) {
        if (!failed || !redis.later(Duration.ZERO, () -> turn.complete(null))) {
            Trampoline.run(() -> turn.complete(null));
        }
    }

    private CompletionStage<Duration> left(PlainDialect known, String lock, String owner, Duration left) {
        return value(known, lock)
                .thenApply(holder -> holder.filter(found -> belongs(found, owner))
                        .map(mine -> safely(owner, left))
                        .orElse(Duration.ZERO));
    }

    private CompletionStage<Duration> stretch(PlainDialect known, String lock, String owner, Duration ttl) {
        return end(known, lock, owner, ttl)
                .thenApply(found -> found == Comparison.EQUAL ? safely(owner, ttl) : Duration.ZERO)
                .whenComplete((left, failure) -> {
                    if (failure != null && RedisReplies.failure(failure).effect() == Effect.UNKNOWN) {
                        noteUnanswered(owner, ttl);
                    }
                });
    }

    private void noteUnanswered(String owner, Duration ttl) {
        isInDoubt();
        unanswered.merge(owner, ttl, ScriptlessLockStore::shorter);
    }

    /** Whether an extension may still be executed late. */
    boolean isInDoubt() {
        if (!unanswered.isEmpty() && redis.isSettled()) {
            unanswered.clear();
        }
        return !unanswered.isEmpty();
    }

    /** What the lease lasts for even if an earlier extension is executed late. */
    Duration safely(String owner, Duration left) {
        Duration late = unanswered.get(owner);
        if (late != null && redis.isSettled()) {
            unanswered.remove(owner, late);
            late = null;
        }
        return late == null ? left : shorter(left, late);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private CompletionStage<Comparison> end(PlainDialect known, String lock, String owner, Duration time) {
        return compare(known, lock, owner, value -> redis.plain(commands -> known.extend(commands, lock, value, time)));
    }

    private CompletionStage<Comparison> compare(
            PlainDialect known, String lock, String owner, Function<String, CompletionStage<Boolean>> command) {
        return compare(known, lock, owner, owner, MARKS, command);
    }

    /** Calls the command with the value that the lock has, as long as that is the owner's. */
    private CompletionStage<Comparison> compare(
            PlainDialect known,
            String lock,
            String owner,
            String value,
            int triesLeft,
            Function<String, CompletionStage<Boolean>> command) {
        return command.apply(value).thenCompose(equal -> {
            if (equal) {
                return CompletableFuture.completedFuture(Comparison.EQUAL);
            }
            return value(known, lock).thenCompose(holder -> {
                if (holder.isEmpty() || !belongs(holder.get(), owner)) {
                    return CompletableFuture.completedFuture(holder.isEmpty() ? Comparison.ABSENT : Comparison.OTHER);
                }
                return triesLeft > 0
                        ? compare(known, lock, owner, holder.get(), triesLeft - 1, command)
                        : CompletableFuture.failedFuture(
                                StoreException.unknown("the lock changes while it is compared", null));
            });
        });
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        boolean isShare = claim.isShared() && !claim.owner().startsWith(SHARED);
        CompletionStage<Release> answer = isShare ? refusedShare() : releaseValue(claim);
        return answer.whenComplete((release, failure) -> refused.ended(Kind.RELEASE, failure));
    }

    /** The owner is the whole value of the lock, also that of a shared lock that is released by force. */
    private CompletionStage<Release> releaseValue(Claim claim) {
        String lock = keys.lock(claim.id());
        unanswered.remove(claim.owner());
        return speaking(known -> compare(
                        known,
                        lock,
                        claim.owner(),
                        value -> redis.plain(commands -> known.delete(commands, lock, value))))
                .handle((found, failure) -> new Release(
                        failure == null ? outcome(found) : RedisReplies.notReleased(failure), redis.isSettled()));
    }

    private static Outcome outcome(Comparison found) {
        return switch (found) {
            case EQUAL -> Outcome.RELEASED;
            case ABSENT -> Outcome.ABSENT;
            case OTHER -> Outcome.NOT_OWNER;
        };
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        unanswered.remove(claim.owner());
        return inTurn(claim.owner(), () -> speaking(known -> end(known, keys.lock(claim.id()), claim.owner(), time)))
                .thenApply(found -> found == Comparison.EQUAL)
                .exceptionally(RedisReplies::flagOfFailure);
    }

    /** As in {@link io.distributedlock.spi.LockInspection#replace}; a queue that scripts have made stays marked. */
    CompletionStage<Boolean> replace(Claim claim, String other, Duration lease) {
        String lock = keys.lock(claim.id());
        String owner = claim.owner();
        return speaking(known -> compare(
                        known,
                        lock,
                        owner,
                        value -> redis.plain(commands ->
                                known.replace(commands, lock, value, other + value.substring(owner.length()), lease))))
                .thenApply(found -> found == Comparison.EQUAL)
                .exceptionally(RedisReplies::flagOfFailure);
    }

    @Override
    public CompletionStage<Long> drawToken(Claim claim) {
        return refused("a fencing token" + WITHOUT_SCRIPTS + "Use the lock without its token" + ALLOW);
    }

    /** As in {@link io.distributedlock.spi.LockInspection#find}. */
    CompletionStage<Optional<StoredLock>> find(String id) {
        String lock = keys.lock(id);
        CompletionStage<Long> time = millisLeft(lock);
        return redis.plain(commands -> PlainCommands.value(commands, lock))
                .thenCombine(time, (holder, millis) -> holder.map(value -> stored(value, millis)));
    }

    private static StoredLock stored(String value, long millis) {
        String owner = value.endsWith(MARK) ? value.substring(0, value.length() - MARK.length()) : value;
        LockMode mode = value.startsWith(SHARED) ? LockMode.SHARED : LockMode.EXCLUSIVE;
        return new StoredLock(
                mode, List.of(owner), millis == NO_EXPIRY ? null : Duration.ofMillis(Math.max(0, millis)), null);
    }

    @Override
    public StoreLimits limits() {
        return new StoreLimits(Set.of(LockMode.EXCLUSIVE), Optional.empty(), Optional.of(redis.commandTimeout()));
    }

    /** Fails as denied if the server has no dialect, so that a lock that could not be released is never taken. */
    @Override
    public CompletionStage<?> ready() {
        return redis.ready().thenCompose(open -> dialect());
    }

    @Override
    public void onReachable(Runnable hook) {
        redis.onReachable(hook);
    }

    @Override
    public void close() {
        redis.close();
    }
}
