package io.distributedlock.redis;

import io.distributedlock.redis.ExtendScriptCall.Draft;
import io.distributedlock.redis.ExtendScriptCall.Lane;
import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.RedisReplies;
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
 * <p>Where keys are sharded, only locks of the same slot share a script, and each slot waits for its own answers alone.
 */
final class ExtendCommands {

    private static final LuaScript EXTEND = LuaScript.named("extend", "batch");
    private static final LuaScript EXTEND_SHARE = LuaScript.named("extend_share", "batch");
    private static final int EVERY_SLOT = -1;
    private static final List<Long> ALL_HELD = List.of(1L);

    private final Map<Lane, InFlightLimit> lanes = new ConcurrentHashMap<>();
    private final RedisLockConnection connections;
    private final ScriptExecutor executor;
    private final LockKeys keys;

    ExtendCommands(RedisLockConnection connections, ScriptExecutor executor, LockKeys keys) {
        this.connections = connections;
        this.executor = executor;
        this.keys = keys;
    }

    static List<LuaScript> scripts() {
        return List.of(EXTEND, EXTEND_SHARE);
    }

    /** While a slot moves, its counter may be at another node than the lock, which is then extended alone. */
    CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return executor.unlessDivided(
                answer(scripts(List.of(claim), token, ttl)), () -> answer(List.of(withoutCounter(claim, ttl))));
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

    /** The lock stands in place of the counter. It is not written: no value is below the lowest of all tokens. */
    private ExtendScriptCall withoutCounter(Claim claim, Duration ttl) {
        String key = keys.lock(claim.id());
        Draft alone = new Draft(new Lane(SlotHash.getSlot(key), claim.isShared()), key, Long.MIN_VALUE, ttl);
        alone.add(0, claim, key);
        return alone.done();
    }

    PreparedBatchExtension prepare(List<Claim> claims, long token, Duration ttl) {
        List<ExtendScriptCall> scripts = scripts(claims, token, ttl);
        return answers -> scripts.forEach(script -> queue(new ExtendBatch(script, answers)));
    }

    private List<ExtendScriptCall> scripts(List<Claim> claims, long token, Duration ttl) {
        boolean sharded = connections.isSharded();
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
            lanes.computeIfAbsent(lane, each -> new InFlightLimit(this::send, connections::loop))
                    .add(extension);
        } catch (StoreException tooMany) {
            extension.fail(tooMany);
        }
    }

    private CompletionStage<Boolean> send(ExtendBatch script) {
        boolean shares = script.script().lane().ofShares();
        EncodedArguments arguments = script.script().arguments();
        CompletionStage<Object> reply;
        try {
            reply = (shares ? EXTEND_SHARE : EXTEND).run(connections.commands(), ScriptOutputType.MULTI, arguments);
        } catch (RuntimeException notSent) {
            reply = CompletableFuture.failedFuture(notSent);
        }
        return reply.handle((answers, failure) -> {
            if (failure != null) {
                script.fail(connections.noted(RedisReplies.failure(failure)));
            } else if (ALL_HELD.equals(answers)) {
                script.succeed();
            } else if (answers instanceof List<?> each && each.size() == script.size()) {
                completeEach(script, each);
            } else {
                script.fail(RedisReplies.unexpected());
            }
            return failure == null;
        });
    }

    private void completeEach(ExtendBatch script, List<?> answers) {
        for (int i = 0; i < script.size(); i++) {
            Duration left = null;
            StoreException unclear = null;
            try {
                left = RedisReplies.leftOfElement(answers.get(i));
            } catch (StoreException failure) {
                unclear = connections.noted(failure);
            }
            script.complete(i, left, unclear);
        }
    }
}
