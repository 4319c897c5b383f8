package io.distributedlock.benchmarks.peer;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The floor of a free lock: SET NX PX, and a compare-and-delete by EVALSHA, on one shared connection. It never waits.
 */
final class RawTry implements PeerClient {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private final SetArgs onlyIfFree = SetArgs.Builder.nx().px(Lease.LENGTH);
    private final RawOwners owners = new RawOwners();
    private final RawConnections connections;
    private final RedisCommands<String, String> redis;
    private final String release;

    RawTry(RawConnections connections) {
        this.connections = connections;
        this.redis = connections.connect().sync();
        this.release = redis.scriptLoad(COMPARE_AND_DELETE);
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        String owner = owners.next();
        return redis.set(key, owner, onlyIfFree) == null ? null : () -> release(key, owner);
    }

    private void release(String key, String owner) {
        Long deleted = redis.evalsha(release, ScriptOutputType.INTEGER, new String[] {key}, owner);
        if (deleted != 1) {
            throw new IllegalStateException("the key had another owner");
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
