package io.distributedlock.campaign.mutant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A connection of a mutant's own, with the driver's own settings: it replays what was in flight when it broke. */
final class RawRedis implements AutoCloseable {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    RawRedis(String uri) {
        client = RedisClient.create(uri);
        connection = client.connect();
    }

    CompletionStage<Long> number(String script, String key, String... arguments) {
        return connection.async().eval(script, ScriptOutputType.INTEGER, new String[] {key}, arguments);
    }

    CompletionStage<String> text(String script, String key, String... arguments) {
        return connection.async().eval(script, ScriptOutputType.VALUE, new String[] {key}, arguments);
    }

    static String keyOf(String id) {
        return "lock:{" + id + "}";
    }

    @Override
    public void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
