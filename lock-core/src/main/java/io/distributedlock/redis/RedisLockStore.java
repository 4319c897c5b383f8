package io.distributedlock.redis;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks in one Redis: a string for each lock, its value the owner, its expiry the lease.
 *
 * <p>Guaranteed while Redis keeps its data: each verb is one atomic script, idempotent for its owner. Not guaranteed: exclusion across the
 * failover to a replica that had not received the lock yet; replication in Redis is asynchronous.
 *
 * <p>Needs Redis 6.2 or newer, or Valkey, with at least the rights {@code +eval +evalsha +set +get +getex +del +pttl +pexpire +time} on keys that
 * begin with the prefix, and {@code +client|info +client|kill} for the quickest clean-up after a broken connection.
 */
public final class RedisLockStore implements LockStore {

    private static final LuaScript ACQUIRE = LuaScript.named("acquire");
    private static final LuaScript RELEASE = LuaScript.named("release");

    private final RedisConnections connections;
    private final Extensions extensions;
    private final String prefix;

    /** @param keyPrefix what every key of ours begins with, followed by a colon */
    public RedisLockStore(RedisConnections connections, String keyPrefix) {
        if (keyPrefix.isBlank() || keyPrefix.indexOf('{') >= 0 || keyPrefix.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "The key prefix must not be blank or contain braces, but is '" + keyPrefix + "'");
        }
        this.connections = connections;
        this.prefix = keyPrefix + ":";
        this.extensions = new Extensions(connections, fenceKey());
    }

    /** A store for one Redis with a connection of its own, a key prefix of {@code lock} and a command timeout of 1 s. */
    public static RedisLockStore of(RedisURI uri) {
        return new RedisLockStore(new RedisConnections(RedisClientSource.of(uri), Duration.ofSeconds(1)), "lock");
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, Duration ttl, Duration patience) {
        List<String> keys = List.of(lockKey(claim), fenceKey());
        return run(ACQUIRE, ScriptOutputType.MULTI, keys, claim.owner(), millis(ttl))
                .thenApply(RedisReplies::attempt);
    }

    @Override
    public CompletionStage<Boolean> extend(Claim claim, long token, Duration ttl) {
        return extensions.extend(new Extension(claim, lockKey(claim), token, ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return run(RELEASE, ScriptOutputType.INTEGER, List.of(lockKey(claim)), claim.owner())
                .thenApply(RedisReplies::flag)
                .exceptionally(RedisReplies::flagOfFailure)
                .thenApply(held -> new Release(held, connections.isSettled()));
    }

    private CompletionStage<Object> run(LuaScript script, ScriptOutputType output, List<String> keys, String... args) {
        try {
            return script.run(connections.commands(), output, keys, args).exceptionally(failure -> {
                throw RedisReplies.failure(failure);
            });
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(RedisReplies.failure(notSent));
        }
    }

    private String lockKey(Claim claim) {
        return prefix + "{" + claim.id() + "}";
    }

    private String fenceKey() {
        return prefix + "fence";
    }

    static String millis(Duration ttl) {
        return String.valueOf(Math.max(1, ttl.toMillis()));
    }

    @Override
    public CompletionStage<?> ready() {
        return connections.ready();
    }

    @Override
    public void onReachable(Runnable hook) {
        connections.onReachable(hook);
    }

    @Override
    public void close() {
        connections.close();
    }
}
