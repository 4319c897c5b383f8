package io.distributedlock.redis;

import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.NativeDelete;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
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

    private final RedisLockConnection connections;
    private final ScriptExecutor scripts;
    private final LockKeys keys;
    private final QueuedClaims grants;
    private volatile @Nullable NativeDelete nativeDelete;

    ReleaseCommands(RedisLockConnection connections, ScriptExecutor scripts, LockKeys keys, QueuedClaims grants) {
        this.connections = connections;
        this.scripts = scripts;
        this.keys = keys;
        this.grants = grants;
        connections.onReachable(this::findNativeDelete);
    }

    /** For each connection anew: it may lead to another server. */
    private void findNativeDelete() {
        nativeDelete = null;
        scripts.plain(NativeDelete::of).thenAccept(found -> nativeDelete = found.orElse(null));
    }

    static List<LuaScript> scripts() {
        return List.of(RELEASE, UNSHARE);
    }

    CompletionStage<Release> release(Claim claim) {
        NativeDelete command = nativeDelete;
        if (command == null || claim.isShared() || grants.of(claim) != null) {
            return releaseByScript(claim);
        }
        return scripts.plain(commands -> command.delete(commands, keys.lock(claim.id()), claim.owner()))
                .exceptionally(failure -> {
                    nativeDelete = null;
                    StoreException known = RedisReplies.failure(failure);
                    // An error reply to a single command means that it did nothing.
                    if (known.getCause() instanceof RedisCommandExecutionException) {
                        return false;
                    }
                    throw known;
                })
                .thenCompose(deleted -> deleted
                        ? CompletableFuture.completedFuture(new Release(Outcome.RELEASED, connections.isSettled()))
                        : releaseByScript(claim));
    }

    private CompletionStage<Release> releaseByScript(Claim claim) {
        QueuedClaim waiting = grants.of(claim);
        String lock = keys.lock(claim.id());
        CompletionStage<Object> answer = waiting == null
                ? release(lock, claim.isShared(), claim.owner())
                : release(lock, claim.isShared(), claim.owner(), waiting.member());
        return scripts.unlessDivided(answer, () -> {
                    if (waiting != null) {
                        waiting.leaveBehind();
                    }
                    return free(lock, claim.isShared(), claim.owner());
                })
                .handle((reply, failure) -> {
                    Release release = answer(reply, failure);
                    return waiting == null ? release : ended(waiting, release);
                });
    }

    /**
     * What is granted to the claim from now on, because of something sent earlier, is released once more; what was
     * granted before, this answer is about, so that a second release could only make it look like a loss.
     */
    private Release ended(QueuedClaim waiting, Release release) {
        waiting.end();
        if (!waiting.isLeftBehind() && (release.settled() || waiting.isSettled())) {
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

    private Release answer(@Nullable Object reply, @Nullable Throwable failure) {
        Outcome outcome = failure == null ? RedisReplies.released(reply) : RedisReplies.notReleased(failure);
        return new Release(outcome, connections.isSettled());
    }

    private CompletionStage<Object> release(String lock, boolean shared, String... ownerAndMember) {
        return scripts.run(scriptOf(shared), ScriptOutputType.INTEGER, keys.toRelease(lock, shared), ownerAndMember);
    }

    private CompletionStage<Object> free(String lock, boolean shared, String owner) {
        return scripts.run(scriptOf(shared), ScriptOutputType.INTEGER, keys.toFree(lock, shared), owner);
    }

    private static LuaScript scriptOf(boolean shared) {
        return shared ? UNSHARE : RELEASE;
    }
}
