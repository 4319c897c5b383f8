package io.distributedlock.redis;

import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the scripts and commands of single locks. What is no answer becomes a failure that says what is known of the
 * effect.
 */
final class ScriptExecutor {

    private final RedisLockConnection connections;

    ScriptExecutor(RedisLockConnection connections) {
        this.connections = connections;
    }

    CompletionStage<Object> run(LuaScript script, ScriptOutputType output, List<String> touched, String... args) {
        try {
            return script.run(connections.commands(), output, touched, args).exceptionally(failure -> {
                throw connections.noted(RedisReplies.failure(failure));
            });
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(RedisReplies.failure(notSent));
        }
    }

    /** The answer to a command that is no script. */
    <T> CompletionStage<T> plain(Function<BaseRedisAsyncCommands<String, String>, CompletionStage<T>> command) {
        try {
            return command.apply(connections.anyCommand()).exceptionally(failure -> {
                throw connections.noted(RedisReplies.failure(failure));
            });
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(RedisReplies.failure(notSent));
        }
    }

    /** Runs a task in a while; not if the connections are stopped by then. Returns whether it is planned. */
    boolean later(Duration pause, Runnable task) {
        try {
            connections.loop().schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (StoreException | RejectedExecutionException notConnected) {
            return false;
        }
    }

    /** The answer; or another one if nothing was done because the keys were not all at one node of a Cluster. */
    <T> CompletionStage<T> unlessDivided(CompletionStage<T> answer, Supplier<CompletionStage<T>> otherwise) {
        return connections.isSharded()
                ? answer.exceptionallyCompose(failure ->
                        RedisReplies.isDivided(failure) ? otherwise.get() : CompletableFuture.failedFuture(failure))
                : answer;
    }
}
