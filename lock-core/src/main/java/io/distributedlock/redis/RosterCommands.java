package io.distributedlock.redis;

import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.spi.ClientRoster;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What clients say about themselves, a key for each, and about lock names, a list for each; beside the locks. */
final class RosterCommands implements ClientRoster {

    private final RedisLockConnection redis;
    private final LockKeys keys;

    RosterCommands(RedisLockConnection redis, LockKeys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    @Override
    public CompletionStage<?> publish(String client, String line, Duration life) {
        return redis.plain(
                commands -> driver(commands).set(keys.client(client), line, SetArgs.Builder.px(life.toMillis())));
    }

    @Override
    public CompletionStage<?> withdraw(String client) {
        return redis.plain(commands -> driver(commands).del(keys.client(client)));
    }

    @Override
    public CompletionStage<Optional<Entry>> look(String client) {
        String key = keys.client(client);
        return redis.plain(commands -> driver(commands)
                .get(key)
                .thenCombine(
                        driver(commands).pttl(key),
                        (line, left) -> line == null || left < 0
                                ? Optional.empty()
                                : Optional.of(new Entry(line, Duration.ofMillis(left)))));
    }

    /** The list is cut before it grows, so that a user who may not cut it writes nothing. */
    @Override
    public CompletionStage<?> record(String name, String line, int kept, Duration life) {
        String key = keys.history(name);
        return redis.plain(commands -> driver(commands).ltrim(key, 0, kept - 2).thenCompose(cut -> {
            CompletionStage<Long> written = driver(commands).lpush(key, line);
            return driver(commands).pexpire(key, life.toMillis()).thenCombine(written, (limited, size) -> size);
        }));
    }

    @Override
    public CompletionStage<List<String>> records(String name) {
        return redis.plain(commands -> driver(commands).lrange(keys.history(name), 0, -1));
    }

    /** What the connections to one server and to a Cluster have in common. */
    private static RedisClusterAsyncCommands<String, String> driver(BaseRedisAsyncCommands<String, String> commands) {
        return (RedisClusterAsyncCommands<String, String>) commands;
    }
}
