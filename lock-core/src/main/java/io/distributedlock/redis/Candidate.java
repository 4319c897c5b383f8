package io.distributedlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A replica that is asked again and again what it is; see {@link ReplicationRole}. */
final class Candidate implements RedisConnectionStateListener {

    private final RedisClient client;
    private final RedisURI address;
    private final Executor loop;
    private final Runnable changed;

    /** What follows is used by tasks on the loop alone. */
    private @Nullable StatefulRedisConnection<String, String> connection;

    private ReplicationRole role;
    private boolean busy;
    private volatile boolean over;

    /**
     * @param loop runs one task at a time, in their order; all methods are called there
     * @param changed called when the answer to {@link #isPromoted()} is another one
     */
    Candidate(RedisClient client, Sentinels.Replica replica, Executor loop, Runnable changed) {
        this.client = client;
        this.address = replica.address();
        this.role = replica.role();
        this.loop = loop;
        this.changed = changed;
    }

    RedisURI address() {
        return address;
    }

    boolean isPromoted() {
        return role.isPromoted();
    }

    /** Asks, or connects if need be, unless an answer is still awaited. */
    void look() {
        if (busy || over) {
            return;
        }
        busy = true;
        if (connection == null) {
            client.connectAsync(PlainText.CODEC, address).whenCompleteAsync((opened, failure) -> opened(opened), loop);
        } else {
            ask(connection);
        }
    }

    private void opened(@Nullable StatefulRedisConnection<String, String> opened) {
        busy = false;
        if (opened == null) {
            return;
        }
        if (over) {
            opened.closeAsync();
            return;
        }
        connection = opened;
        opened.addListener(this);
        look();
    }

    private void ask(StatefulRedisConnection<String, String> asked) {
        CompletionStage<Map<String, String>> facts = asked.async()
                .dispatch(Inquiry.INFO, new StatusOutput<>(StringCodec.UTF8))
                .thenApply(RedisServerFacts::ofInfo);
        facts.whenCompleteAsync((answer, failure) -> answered(asked, answer), loop);
    }

    private void answered(StatefulRedisConnection<String, String> asked, @Nullable Map<String, String> facts) {
        if (asked != connection) {
            return;
        }
        busy = false;
        if (facts != null) {
            become(role.after(facts));
        }
    }

    private void become(ReplicationRole next) {
        boolean changes = role.isPromoted() != next.isPromoted();
        role = next;
        if (changes) {
            changed.run();
        }
    }

    /** Connects anew at once: it may have been promoted, because Sentinels have it drop its clients then. */
    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
        if (!over) {
            lost.closeAsync();
        }
        loop.execute(() -> {
            if (lost == connection) {
                connection = null;
                busy = false;
                become(role.whenLost());
                look();
            }
        });
    }

    void close() {
        over = true;
        StatefulRedisConnection<String, String> last = connection;
        connection = null;
        if (last != null) {
            last.closeAsync();
        }
    }
}
