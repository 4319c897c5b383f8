package io.distributedlock.redis;

import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.NativeDelete;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Releases locks, which go to the first claim in their queue.
 *
 * <p>Where the server has a native command for it, an exclusive lock is deleted by that if it has no mark of a queue.
 * Any other answer than that it was deleted is no answer: the script decides. A command that fails in any way is not
 * used again on this connection.
 *
 * <p>While a slot of a Cluster moves, a script about several keys is refused unless one node has all of them, and a
 * queue is only there while a claim waits. Then a lock is freed by itself, which is about one key, and waiters find it
 * at their next try.
 */
final class ReleaseCommands {

    private static final LuaScript RELEASE = LuaScript.named("release_fast", "shared_holds", "grant_next", "release");
    private static final LuaScript UNSHARE = LuaScript.named("shared_holds", "grant_next", "unshare");
    /** The same without a look at the queue. */
    private static final LuaScript FREE = LuaScript.named("release_fast", "without_queue", "release");

    private static final LuaScript REPLACE = LuaScript.named("replace");

    private static final LuaScript FREE_SHARE = LuaScript.named("without_queue", "unshare");

    private final RedisLockConnection redis;
    private final LockKeys keys;
    private final QueuedClaims grants;
    private final AcceptedScripts accepted;
    private final RefusedCommands refused;
    private volatile @Nullable NativeDelete nativeDelete;

    ReleaseCommands(
            RedisLockConnection redis,
            LockKeys keys,
            QueuedClaims grants,
            AcceptedScripts accepted,
            RefusedCommands refused) {
        this.refused = refused;
        this.accepted = accepted;
        this.redis = redis;
        this.keys = keys;
        this.grants = grants;
        redis.onReachable(this::findNativeDelete);
    }

    /** How a lock is released that no claim waits for. */
    String description() {
        NativeDelete command = nativeDelete;
        return command != null
                ? command.name()
                : accepted.queueing().isRefused() ? "script without a look at the queue" : "script";
    }

    /** For each connection anew: it may lead to another server. */
    private void findNativeDelete() {
        nativeDelete = null;
        redis.plain(NativeDelete::of).thenAccept(found -> nativeDelete = found.orElse(null));
    }

    /** Those that are called often. */
    static List<LuaScript> scripts() {
        return List.of(RELEASE, UNSHARE);
    }

    CompletionStage<Release> release(Claim claim) {
        NativeDelete command = nativeDelete;
        if (command == null || claim.isShared() || grants.of(claim) != null) {
            return releaseByScript(claim);
        }
        return redis.plain(commands -> command.delete(commands, keys.lock(claim.id()), claim.owner()))
                .exceptionally(failure -> {
                    nativeDelete = null;
                    StoreException known = RedisReplies.failure(failure);
                    // An error reply to a single command means that it did nothing.
                    if (known.getCause() instanceof RedisCommandExecutionException) {
                        return false;
                    }
                    throw known;
                })
                .thenCompose(deleted -> {
                    if (!deleted) {
                        return releaseByScript(claim);
                    }
                    refused.ended(RefusedCommands.Kind.RELEASE, null);
                    return CompletableFuture.completedFuture(new Release(Outcome.RELEASED, redis.isSettled()));
                });
    }

    CompletionStage<Release> releaseByScript(Claim claim) {
        QueuedClaim waiting = grants.of(claim);
        String lock = keys.lock(claim.id());
        CompletionStage<Object> answer = waiting == null
                ? release(lock, claim.isShared(), claim.owner())
                : release(lock, claim.isShared(), claim.owner(), waiting.member());
        return redis.unlessDivided(answer, () -> {
                    if (waiting != null) {
                        waiting.leaveBehind();
                    }
                    return free(lock, claim.isShared(), claim.owner());
                })
                .handle((reply, failure) -> {
                    Release release = answer(reply, failure);
                    return waiting == null ? release : ended(waiting, release);
                })
                .whenComplete((release, failure) -> refused.ended(RefusedCommands.Kind.RELEASE, failure));
    }

    /** The claim was released without a look at the queue, where it may still be. */
    Release ended(Claim claim, Release release) {
        QueuedClaim waiting = grants.of(claim);
        if (waiting == null) {
            return release;
        }
        waiting.leaveBehind();
        return ended(waiting, release);
    }

    /**
     * What is granted to the claim from now on, because of something sent earlier, is released once more; what was
     * granted before, this answer is about, so that a second release could only make it look like a loss. A try that is
     * about to be sent may still put it into the queue, where only what is known of it here takes it out.
     */
    private Release ended(QueuedClaim waiting, Release release) {
        waiting.end();
        if (!waiting.isLeftBehind() && waiting.isAnswered() && (release.settled() || waiting.isSettled())) {
            grants.forget(waiting);
        }
        return release;
    }

    /** Takes back the hint to a claim that waits no more, if it is known. */
    CompletionStage<?> withdraw(Claim waiter) {
        return grants.of(waiter) == null ? CompletableFuture.completedFuture(null) : release(waiter);
    }

    /** Frees a lock without a look at its queue. */
    CompletionStage<Release> discard(Claim claim) {
        return free(keys.lock(claim.id()), claim.isShared(), claim.owner()).handle(this::answer);
    }

    /** Takes a lock from the claim's owner for another one. */
    CompletionStage<Boolean> replace(Claim claim, String owner, Duration lease) {
        String lock = keys.lock(claim.id());
        return redis.run(
                        REPLACE,
                        ScriptOutputType.INTEGER,
                        LockKeys.ofLockAlone(lock, true),
                        claim.owner(),
                        owner,
                        EncodedArguments.millis(lease))
                .thenApply(RedisReplies::flag)
                .exceptionally(RedisReplies::flagOfFailure);
    }

    private Release answer(@Nullable Object reply, @Nullable Throwable failure) {
        Outcome outcome = failure == null ? RedisReplies.released(reply) : RedisReplies.notReleased(failure);
        return new Release(outcome, redis.isSettled());
    }

    private CompletionStage<Object> release(String lock, boolean shared, String... ownerAndMember) {
        return accepted.queueing()
                .orElse(
                        () -> release(shared ? UNSHARE : RELEASE, lock, ownerAndMember),
                        () -> release(shared ? FREE_SHARE : FREE, lock, ownerAndMember));
    }

    private CompletionStage<Object> release(LuaScript script, String lock, String... ownerAndMember) {
        return redis.run(script, ScriptOutputType.INTEGER, keys.toRelease(lock), ownerAndMember);
    }

    private CompletionStage<Object> free(String lock, boolean shared, String owner) {
        LuaScript script = shared ? FREE_SHARE : FREE;
        return redis.run(script, ScriptOutputType.INTEGER, LockKeys.ofLockAlone(lock, shared), owner);
    }
}
