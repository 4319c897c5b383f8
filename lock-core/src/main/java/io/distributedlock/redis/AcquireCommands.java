package io.distributedlock.redis;

import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.PlainCommands;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tries to take locks. A refused try may leave a place in the queue: for the claim itself, or for a hint to the claim
 * that it is part of.
 *
 * <p>A try for an exclusive lock without a token is a plain command at first. Only if an owner holds the lock already,
 * which may be the claim's own after a lost reply, a script finds out which. Where a lock was refused a moment ago, the
 * script comes first.
 *
 * <p>The first scripts check that what they take could be released; there is no plain command before that.
 */
final class AcquireCommands {

    private static final LuaScript ACQUIRE = LuaScript.named("acquire");
    private static final LuaScript QUARANTINED_ACQUIRE = LuaScript.named("quarantine", "acquire");
    private static final LuaScript SHARE = LuaScript.named("shared_holds", "writers", "share");
    private static final LuaScript SHARE_UNQUEUED = LuaScript.named("shared_holds", "without_queue", "share");
    /** The same, if the lock can also be renewed and released. */
    private static final Map<LuaScript, LuaScript> CHECKED = Map.of(
            ACQUIRE, LuaScript.named("rights", "acquire"),
            QUARANTINED_ACQUIRE, LuaScript.named("rights", "quarantine", "acquire"),
            SHARE, LuaScript.named("rights", "shared_holds", "writers", "share"),
            SHARE_UNQUEUED, LuaScript.named("rights", "shared_holds", "without_queue", "share"));

    /** Owner, ttl, and whether it is fenced. */
    private static final int UNQUEUED_ARGUMENTS = 3;

    private static final Claim ANY = new Claim(LockKeys.PROBE, "any");
    private static final String WAITS = "1";
    private static final String AGAIN = "1";
    private static final String FENCED = "1";
    private static final String UNFENCED = "0";

    /** The scripts that the server has answered after the check, so that it is not repeated. */
    private final Set<LuaScript> passed = ConcurrentHashMap.newKeySet();

    /** The owners of plain tries on their way. One that is released meanwhile is not tried again. */
    private final Set<String> plainTries = ConcurrentHashMap.newKeySet();

    private final ContendedLocks contended = new ContendedLocks();
    private final RedisLockConnection redis;
    private final LockKeys keys;
    private final QueuedClaims grants;
    private final AcceptedScripts accepted;
    private final @Nullable Duration quarantine;

    /** @param quarantine for how long nothing is granted where data was lost; null if that is not looked at */
    AcquireCommands(
            RedisLockConnection redis,
            LockKeys keys,
            QueuedClaims grants,
            AcceptedScripts accepted,
            @Nullable Duration quarantine) {
        this.accepted = accepted;
        this.redis = redis;
        this.keys = keys;
        this.grants = grants;
        this.quarantine = quarantine;
    }

    /** Those that are called often. */
    List<LuaScript> scripts() {
        return (quarantine == null ? Stream.of(ACQUIRE, SHARE) : Stream.of(QUARANTINED_ACQUIRE))
                .flatMap(script -> Stream.of(script, CHECKED.get(script)))
                .toList();
    }

    CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return plainly(claim, ttl, () -> acquireByScript(claim, ttl, patience));
    }

    private CompletionStage<AcquireResult> acquireByScript(Claim claim, Duration ttl, Duration patience) {
        boolean waits = !patience.isZero();
        ServerSubscriber post = waits && quarantine == null ? post(claim) : ServerSubscriber.NONE;
        return acquire(claim, ttl, grants.claim(claim, ttl, patience, post), post, waits);
    }

    /** @param waiter gets a hint in the queue, instead of the claim */
    CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Claim waiter, Duration patience) {
        return plainly(claim, ttl, () -> acquireByScript(claim, ttl, waiter, patience));
    }

    private CompletionStage<AcquireResult> acquireByScript(Claim claim, Duration ttl, Claim waiter, Duration patience) {
        ServerSubscriber post = post(claim);
        return acquire(claim, ttl, grants.claim(waiter, null, patience, post), post, false);
    }

    /** The claim was released: what follows from a plain try that is on its way must not take the lock any more. */
    void released(Claim claim) {
        plainTries.remove(claim.owner());
    }

    /** A release was refused: the next lock is taken only where it could be released. */
    void checkAgain() {
        passed.clear();
    }

    /** One try for an exclusive lock, by the script in any case. */
    CompletionStage<AcquireResult> acquireByScript(Claim claim, Duration ttl) {
        return acquireUnqueued(claim, ttl, false);
    }

    private CompletionStage<AcquireResult> plainly(
            Claim claim, Duration ttl, Supplier<CompletionStage<AcquireResult>> script) {
        if (!isPlain(claim) || !plainTries.add(claim.owner())) {
            return script.get().whenComplete((result, failure) -> contended.note(claim.id(), result));
        }
        return redis.plain(commands -> PlainCommands.setIfAbsent(commands, keys.lock(claim.id()), claim.owner(), ttl))
                .handle((taken, failure) -> {
                    boolean wanted = plainTries.remove(claim.owner());
                    if (failure != null) {
                        return CompletableFuture.<AcquireResult>failedFuture(failure);
                    }
                    if (taken) {
                        return CompletableFuture.<AcquireResult>completedFuture(new Granted(0, ttl, true));
                    }
                    if (!wanted) {
                        return CompletableFuture.<AcquireResult>failedFuture(
                                StoreException.refused("the claim was released meanwhile", null));
                    }
                    return script.get().whenComplete((result, late) -> contended.note(claim.id(), result));
                })
                .thenCompose(result -> result);
    }

    private boolean isPlain(Claim claim) {
        return quarantine == null
                && !claim.isShared()
                && !claim.fenced()
                && passed.contains(ACQUIRE)
                && grants.of(claim) == null
                && !contended.contains(claim.id());
    }

    /** Whether claims that are refused wait in a queue, as far as is known. */
    boolean queues() {
        return post(ANY).isOpen();
    }

    private ServerSubscriber post(Claim claim) {
        return accepted.queueing().isRefused() ? ServerSubscriber.NONE : redis.post(() -> keys.lock(claim.id()));
    }

    private CompletionStage<AcquireResult> acquire(
            Claim claim, Duration ttl, @Nullable QueuedClaim waiting, ServerSubscriber post, boolean waits) {
        return waiting == null
                ? acquireNow(claim, ttl, waits)
                : redis.unlessDivided(
                        acquireOrQueue(claim, ttl, waiting, post), () -> acquireUnqueued(claim, ttl, waits));
    }

    private CompletionStage<AcquireResult> acquireOrQueue(
            Claim claim, Duration ttl, QueuedClaim waiting, ServerSubscriber post) {
        List<String> args =
                new ArrayList<>(List.of(claim.owner(), EncodedArguments.millis(ttl), fenced(claim), waiting.member()));
        if (waiting.wasTried()) {
            args.add(AGAIN);
        }
        long sentAt = waiting.trying(post);
        return send(claim, args, true)
                .thenApply(reply -> RedisReplies.attempt(reply, ttl, place -> waiting.refused(place, sentAt)))
                .whenComplete((attempt, failure) -> tried(waiting, attempt, failure));
    }

    private CompletionStage<Object> send(Claim claim, List<String> args, boolean queues) {
        if (quarantine != null) {
            args.add(EncodedArguments.millis(quarantine));
            return run(QUARANTINED_ACQUIRE, keys.toBeAdmitted(claim, queues), args);
        }
        List<String> touched = keys.toAcquire(claim, queues);
        return claim.isShared()
                ? accepted.queueing()
                        .orElse(
                                () -> run(SHARE, touched, args),
                                () -> share(claim, args.subList(0, UNQUEUED_ARGUMENTS)))
                : run(ACQUIRE, touched, args);
    }

    private CompletionStage<Object> share(Claim claim, List<String> args) {
        return run(SHARE_UNQUEUED, keys.toAcquireUnqueued(claim), args);
    }

    private CompletionStage<Object> run(LuaScript script, List<String> touched, List<String> args) {
        String[] each = args.toArray(String[]::new);
        if (passed.contains(script)) {
            return redis.run(script, ScriptOutputType.MULTI, touched, each);
        }
        LuaScript checked = Objects.requireNonNull(CHECKED.get(script));
        List<String> tried = LockKeys.withUnused(touched);
        return redis.run(checked, ScriptOutputType.MULTI, tried, each).thenApply(reply -> {
            passed.add(script);
            return reply;
        });
    }

    private CompletionStage<AcquireResult> acquireNow(Claim claim, Duration ttl, boolean waits) {
        if (quarantine == null && !claim.isShared()) {
            return acquireUnqueued(claim, ttl, waits);
        }
        List<String> args = new ArrayList<>(List.of(claim.owner(), EncodedArguments.millis(ttl), fenced(claim)));
        return redis.unlessDivided(
                withoutNews(send(claim, args, false), ttl), () -> acquireUnqueued(claim, ttl, waits));
    }

    /** A shared claim that waits without a queue leaves no sign of that: no claim waits for it. */
    private CompletionStage<AcquireResult> acquireUnqueued(Claim claim, Duration ttl, boolean waits) {
        String lease = EncodedArguments.millis(ttl);
        List<String> args = waits && !claim.isShared()
                ? List.of(claim.owner(), lease, fenced(claim), WAITS)
                : List.of(claim.owner(), lease, fenced(claim));
        return withoutNews(
                claim.isShared() ? share(claim, args) : run(ACQUIRE, keys.toAcquireUnqueued(claim), args), ttl);
    }

    private static String fenced(Claim claim) {
        return claim.fenced() ? FENCED : UNFENCED;
    }

    private static CompletionStage<AcquireResult> withoutNews(CompletionStage<Object> reply, Duration ttl) {
        return reply.thenApply(parts -> RedisReplies.attempt(parts, ttl, place -> new CompletableFuture<>()));
    }

    private void tried(QueuedClaim waiting, @Nullable AcquireResult attempt, @Nullable Throwable failure) {
        waiting.tried(failure != null && RedisReplies.failure(failure).effect() == Effect.UNKNOWN);
        if (attempt instanceof Granted) {
            grants.served(waiting);
        } else {
            grants.notQueued(waiting);
        }
    }
}
