package io.distributedlock.redis;

import io.distributedlock.redis.ExtendScriptCall.Draft;
import io.distributedlock.redis.ExtendScriptCall.Lane;
import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.spi.BatchExtensionCallback;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Extends leases, up to a hundred with one script, and has each answered on its own: that one lock is not held, or
 * can't be extended, is nothing to the others. What happens to a script as a whole happened to each of its locks.
 *
 * <p>Where the server does not accept such a script, each lock has a shorter one of its own. Where keys are sharded,
 * only locks of the same slot share a script, and each slot waits for its own answers alone.
 */
final class ExtendCommands {

    private static final LuaScript EXTEND_ALL = LuaScript.batchOf("extend");
    private static final LuaScript EXTEND_ALL_SHARES = LuaScript.batchOf("extend_share");
    private static final LuaScript EXTEND = LuaScript.named("extend");
    private static final LuaScript EXTEND_SHARE = LuaScript.named("extend_share");
    private static final LuaScript RAISE_FENCE = LuaScript.named("raise_fence");
    private static final int EVERY_SLOT = -1;
    private static final List<Long> ALL_HELD = List.of(1L);

    private final Map<Lane, InFlightLimit> lanes = new ConcurrentHashMap<>();
    private final RedisLockConnection redis;
    private final LockKeys keys;
    private final AcceptedScripts accepted;
    private final RefusedCommands refused;

    ExtendCommands(RedisLockConnection redis, LockKeys keys, AcceptedScripts accepted, RefusedCommands refused) {
        this.refused = refused;
        this.redis = redis;
        this.keys = keys;
        this.accepted = accepted;
    }

    /** Those that are called often. */
    static List<LuaScript> scripts() {
        return List.of(EXTEND_ALL, EXTEND_ALL_SHARES);
    }

    /** While a slot moves, its counter may be at another node than the lock, which is then extended alone. */
    CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return redis.unlessDivided(
                answer(scripts(List.of(claim), token, ttl)),
                () -> alone(claim, ttl).thenApply(RedisReplies::leftOfElement));
    }

    private CompletionStage<Duration> answer(List<ExtendScriptCall> one) {
        CompletableFuture<Duration> answer = new CompletableFuture<>();
        BatchExtensionCallback callback = (place, left, failure) -> {
            if (failure == null) {
                answer.complete(left);
            } else {
                answer.completeExceptionally(failure);
            }
        };
        one.forEach(script -> queue(new ExtendBatch(script, callback)));
        return answer;
    }

    PreparedBatchExtension prepare(List<Claim> claims, long token, Duration ttl) {
        List<ExtendScriptCall> scripts = scripts(claims, token, ttl);
        return answers -> scripts.forEach(script -> queue(new ExtendBatch(script, answers)));
    }

    private List<ExtendScriptCall> scripts(List<Claim> claims, long token, Duration ttl) {
        boolean sharded = redis.isSharded();
        List<ExtendScriptCall> full = new ArrayList<>();
        Map<Lane, Draft> drafts = new LinkedHashMap<>();
        for (int place = 0; place < claims.size(); place++) {
            Claim claim = claims.get(place);
            String key = keys.lock(claim.id());
            Lane lane = new Lane(sharded ? SlotHash.getSlot(key) : EVERY_SLOT, claim.isShared());
            Draft draft = drafts.computeIfAbsent(lane, each -> new Draft(each, keys.fence(key), token, ttl));
            draft.add(place, claim, key);
            if (draft.isFull()) {
                full.add(draft.done());
                drafts.remove(lane);
            }
        }
        return Stream.concat(full.stream(), drafts.values().stream().map(Draft::done))
                .toList();
    }

    private void queue(ExtendBatch extension) {
        Lane lane = extension.script().lane();
        try {
            lanes.computeIfAbsent(lane, each -> new InFlightLimit(this::send, redis::loop))
                    .add(extension);
        } catch (StoreException tooMany) {
            extension.fail(tooMany);
        }
    }

    private CompletionStage<Boolean> send(ExtendBatch batch) {
        return accepted.batches()
                .orElse(() -> together(batch.script()), () -> eachAlone(batch.script()))
                .handle((answers, failure) -> {
                    refused.ended(RefusedCommands.Kind.RENEWAL, failure);
                    if (failure != null) {
                        batch.fail(redis.noted(RedisReplies.failure(failure)));
                    } else if (ALL_HELD.equals(answers)) {
                        batch.succeed();
                    } else if (answers instanceof List<?> each && each.size() == batch.size()) {
                        completeEach(batch, each);
                    } else {
                        batch.fail(RedisReplies.unexpected());
                    }
                    return failure == null;
                });
    }

    private CompletionStage<Object> together(ExtendScriptCall call) {
        LuaScript script = call.lane().ofShares() ? EXTEND_ALL_SHARES : EXTEND_ALL;
        try {
            return script.run(redis.commands(), ScriptOutputType.MULTI, call.arguments());
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }

    /** The answer about each, which may be its failure. Fails if all do. */
    private CompletionStage<Object> eachAlone(ExtendScriptCall call) {
        List<CompletableFuture<Object>> answers = call.claims().stream()
                .map(claim -> alone(claim, call.ttl()).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .exceptionallyCompose(failure -> answers.stream().allMatch(CompletableFuture::isCompletedExceptionally)
                        ? CompletableFuture.failedFuture(failure)
                        : CompletableFuture.completedFuture(null))
                .thenCompose(done -> raised(
                        call,
                        answers.stream()
                                .map(answer -> answer.exceptionally(RedisReplies::failure)
                                        .getNow(null))
                                .toList()));
    }

    /** The same answers, once the counter is above the tokens of what is held. */
    private CompletionStage<Object> raised(ExtendScriptCall call, List<Object> answers) {
        boolean held = answers.stream().anyMatch(left -> left instanceof Long millis && millis > 0);
        if (!held || call.token() == 0) {
            return CompletableFuture.completedFuture(answers);
        }
        String token = String.valueOf(call.token());
        return redis.run(RAISE_FENCE, ScriptOutputType.INTEGER, List.of(call.fenceKey()), token)
                .handle((raised, failure) -> answers);
    }

    private CompletionStage<Object> alone(Claim claim, Duration ttl) {
        return redis.run(
                        claim.isShared() ? EXTEND_SHARE : EXTEND,
                        ScriptOutputType.MULTI,
                        LockKeys.ofLockAlone(keys.lock(claim.id()), claim.isShared()),
                        EncodedArguments.millis(ttl),
                        claim.owner())
                .thenApply(reply -> {
                    if (reply instanceof List<?> one && one.size() == 1) {
                        return one.get(0);
                    }
                    throw RedisReplies.unexpected();
                });
    }

    private void completeEach(ExtendBatch batch, List<?> answers) {
        for (int i = 0; i < batch.size(); i++) {
            Duration left = null;
            StoreException unclear = null;
            try {
                left = RedisReplies.leftOfElement(answers.get(i));
            } catch (StoreException failure) {
                unclear = redis.noted(failure);
                refused.ended(RefusedCommands.Kind.RENEWAL, failure);
            }
            batch.complete(i, left, unclear);
        }
    }
}
