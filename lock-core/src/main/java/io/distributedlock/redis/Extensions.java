package io.distributedlock.redis;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ExtensionAnswers;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Extends leases, up to a hundred with one script, and has each answered on its own: that one lock is not held, or can't be extended, is
 * nothing to the others. What happens to a script as a whole happened to each of its locks.
 *
 * <p>In a Cluster only locks of the same slot share a script, and each slot waits for its own answers alone.
 */
final class Extensions {

    static final int MAX_TOGETHER = 100;

    private static final LuaScript EXTEND = LuaScript.named("extend", "batch");
    private static final LuaScript EXTEND_SHARE = LuaScript.named("extend-share", "batch");
    private static final int EVERY_SLOT = -1;

    private final Map<Lane, ExtensionLane> lanes = new ConcurrentHashMap<>();
    private final RedisConnections connections;
    private final LockKeys keys;

    /** What extensions must have in common to share a script. */
    private record Lane(int slot, boolean ofShares) {}

    Extensions(RedisConnections connections, LockKeys keys) {
        this.connections = connections;
        this.keys = keys;
    }

    void extend(List<Claim> claims, long token, Duration ttl, ExtensionAnswers answers) {
        boolean cluster = connections.isCluster();
        Map<Lane, Extension> scripts = new LinkedHashMap<>();
        for (int place = 0; place < claims.size(); place++) {
            Claim claim = claims.get(place);
            String key = keys.lock(claim.id());
            Lane lane = new Lane(cluster ? SlotHash.getSlot(key) : EVERY_SLOT, claim.isShared());
            Extension script = scripts.get(lane);
            if (script == null) {
                script = new Extension(keys.fence(key), token, ttl, answers);
                scripts.put(lane, script);
            }
            script.add(place, claim, key);
            if (script.size() == MAX_TOGETHER) {
                scripts.remove(lane);
                queue(lane, script);
            }
        }
        scripts.forEach(this::queue);
    }

    private void queue(Lane lane, Extension script) {
        LuaScript text = lane.ofShares() ? EXTEND_SHARE : EXTEND;
        try {
            lanes.computeIfAbsent(lane, each -> new ExtensionLane(next -> send(text, next), connections::loop))
                    .add(script);
        } catch (StoreException tooMany) {
            script.fail(tooMany);
        }
    }

    private CompletionStage<Boolean> send(LuaScript text, Extension script) {
        CompletionStage<Object> reply;
        try {
            reply = text.run(connections.commands(), ScriptOutputType.MULTI, script.keys(), script.arguments());
        } catch (RuntimeException notSent) {
            reply = CompletableFuture.failedFuture(notSent);
        }
        return reply.handle((answers, failure) -> {
            if (failure != null) {
                script.fail(connections.noted(RedisReplies.failure(failure)));
            } else if (answers instanceof List<?> each && each.size() == script.size()) {
                tellEach(script, each);
            } else {
                script.fail(RedisReplies.unexpected());
            }
            return failure == null;
        });
    }

    private void tellEach(Extension script, List<?> answers) {
        for (int i = 0; i < script.size(); i++) {
            Boolean held = null;
            StoreException unclear = null;
            try {
                held = RedisReplies.flagOfElement(answers.get(i));
            } catch (StoreException failure) {
                unclear = connections.noted(failure);
            }
            script.tell(i, held, unclear);
        }
    }
}
