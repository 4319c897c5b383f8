package io.distributedlock.redis;

import io.distributedlock.redis.script.PlainDialect;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.RequiredPermission;
import io.distributedlock.redis.server.RequiredPermission.Use;
import io.distributedlock.redis.server.ServerInfo;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Looks for what is wrong with a Redis as a place for locks: missing rights, a server that is too old or a replica, or
 * one that may evict locks.
 *
 * <p>It asks as the locks' own user, on their own connection, and tries each command that a lock needs on a key of its
 * own that is gone within a second. What it may not ask, it does not report. It looks at one node; in a Cluster, at the
 * one that has that key.
 */
public final class RedisDiagnosis {

    private final RedisLockConnection connections;
    private final String keyPrefix;
    private final boolean notifications;
    private final ScriptUse scriptUse;

    /** {@link #RedisDiagnosis(RedisLockConnection, String, boolean, ScriptUse)} with scripts. */
    public RedisDiagnosis(RedisLockConnection connections, String keyPrefix, boolean notifications) {
        this(connections, keyPrefix, notifications, ScriptUse.AUTO);
    }

    /**
     * @param keyPrefix the prefix of the lock store's keys
     * @param notifications whether the lock store uses a queue and messages; if not, nothing is said of the rights for
     *     these
     * @param scriptUse whether the lock store calls scripts
     */
    public RedisDiagnosis(
            RedisLockConnection connections, String keyPrefix, boolean notifications, ScriptUse scriptUse) {
        this.connections = connections;
        this.keyPrefix = keyPrefix;
        this.notifications = notifications;
        this.scriptUse = scriptUse;
    }

    /**
     * One sentence or two for each thing that is wrong, with what to do about it; empty if all is well. Fails with a
     * {@link StoreException} if Redis can't be asked.
     */
    public CompletionStage<List<String>> findings() {
        return connections.ready().thenCompose(open -> {
            BaseRedisAsyncCommands<String, String> redis = connections.anyCommand();
            CompletableFuture<List<String>> rights = missingRights(redis).toCompletableFuture();
            return ask(redis, new NestedMultiOutput<>(StringCodec.UTF8), List.of("HELLO"))
                    .thenApply(ServerInfo::ofHello)
                    .thenCombine(
                            ask(redis, new StatusOutput<>(StringCodec.UTF8), List.of("INFO", "memory"))
                                    .thenApply(info -> info.flatMap(ServerInfo::evictionRisk)),
                            RedisDiagnosis::joined)
                    .thenCombine(rights, RedisDiagnosis::joined);
        });
    }

    private static List<String> joined(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    private static List<String> joined(List<String> some, Optional<String> one) {
        return joined(some, one.stream().toList());
    }

    private CompletionStage<List<String>> missingRights(BaseRedisAsyncCommands<String, String> redis) {
        String key = keyPrefix + ":{distributed-lock:self-test}";
        if (scriptUse == ScriptUse.NEVER) {
            return missing(redis, RequiredPermission.withoutScripts(key), Use.LOCKS)
                    .thenCombine(missingCommands(redis, key), RedisDiagnosis::joined);
        }
        List<RequiredPermission> all = notifications
                ? RequiredPermission.all(key, keyPrefix + ":grants:self-test")
                : RequiredPermission.withoutQueue(key);
        CompletionStage<List<String>> missing = CompletableFuture.completedFuture(List.of());
        for (Use use : Use.values()) {
            missing = missing.thenCombine(missing(redis, all, use), RedisDiagnosis::joined);
        }
        return missing;
    }

    private static CompletionStage<Optional<String>> missingCommands(
            BaseRedisAsyncCommands<String, String> redis, String key) {
        return PlainDialect.of(redis, key).handle((found, failure) -> {
            if (failure == null) {
                return Optional.empty();
            }
            StoreException known = RedisReplies.failure(failure);
            if (known.isDenied()) {
                return Optional.of("There are no locks here: " + known.getMessage());
            }
            throw known;
        });
    }

    private CompletionStage<List<String>> missing(
            BaseRedisAsyncCommands<String, String> redis, List<RequiredPermission> all, Use use) {
        CompletionStage<List<String>> missing = CompletableFuture.completedFuture(List.of());
        for (RequiredPermission right : all) {
            if (right.use() == use) {
                missing = missing.thenCombine(lacks(redis, right), RedisDiagnosis::joined);
            }
        }
        return missing.thenApply(rules -> rules.isEmpty()
                ? List.of()
                : List.of("The Redis user of the locks " + use.problem() + ". Grant them: ACL SETUSER <user> "
                        + rules.stream().distinct().collect(Collectors.joining(" "))));
    }

    /** What would grant the right, if it is missing. */
    private CompletionStage<Optional<String>> lacks(
            BaseRedisAsyncCommands<String, String> redis, RequiredPermission right) {
        return send(redis, new NestedMultiOutput<>(StringCodec.UTF8), right.command())
                .handle((reply, failure) -> {
                    String error = failure == null ? "" : errorOf(failure);
                    return right.isMissing(error)
                            ? Optional.of(right.remedy(error, keyPrefix + ":*"))
                            : Optional.empty();
                });
    }

    private static String errorOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RedisCommandExecutionException) {
            return String.valueOf(cause.getMessage());
        }
        throw RedisReplies.failure(cause);
    }

    /** The reply, or empty if Redis answers with an error. */
    private static <T> CompletionStage<Optional<T>> ask(
            BaseRedisAsyncCommands<String, String> redis, CommandOutput<String, String, T> output, List<String> words) {
        return send(redis, output, words).handle((reply, failure) -> {
            if (failure != null) {
                errorOf(failure);
                return Optional.empty();
            }
            return Optional.ofNullable(reply);
        });
    }

    private static <T> CompletionStage<T> send(
            BaseRedisAsyncCommands<String, String> redis, CommandOutput<String, String, T> output, List<String> words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        words.stream().skip(1).forEach(args::add);
        return redis.dispatch(CommandType.valueOf(words.get(0)), output, args);
    }
}
