package io.distributedlock.redis;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.redis.connection.ConnectionRegistry;
import io.distributedlock.redis.pubsub.ClusterSubscriptions;
import io.distributedlock.redis.pubsub.MessageListener;
import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.redis.pubsub.Subscription;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** One client and its connection, from start to stop. It connects on a thread of its own: the driver blocks in that. */
final class ClientConnection {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final AtomicReference<@Nullable CompletableFuture<StatefulConnection<String, String>>> connection =
            new AtomicReference<>();
    private final ExecutorService connector = connector();
    private final ConnectionRegistry sessions;
    private final LockClientOptions safety;
    private final RedisClientSource source;
    private final @Nullable MessageListener messageListener;
    private @Nullable AbstractRedisClient client;
    private Disposable newMasters = Disposables.disposed();
    private volatile boolean sharded;
    private volatile String lastFailure = "";
    private boolean warned;
    private boolean warnedOfDenial;
    private volatile Function<Supplier<String>, ServerSubscriber> posts = lock -> ServerSubscriber.NONE;

    ClientConnection(
            RedisClientSource source,
            Duration commandTimeout,
            @Nullable MessageListener messageListener,
            List<LuaScript> scripts) {
        this.source = source;
        this.messageListener = messageListener;
        this.sessions = new ConnectionRegistry(commandTimeout, scripts);
        this.safety = new LockClientOptions(sessions, commandTimeout);
    }

    void onReachable(Runnable hook) {
        sessions.onOpened(hook);
    }

    private static ExecutorService connector() {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(2), task -> {
                    Thread thread = new Thread(task, "distributed-lock-connector");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    RedisScriptingAsyncCommands<String, String> commands() {
        CompletableFuture<StatefulConnection<String, String>> opening = connection();
        if (!opening.isDone() || opening.isCompletedExceptionally()) {
            throw StoreException.notSent("Redis is not connected yet" + lastFailure, null);
        }
        return scripting(opening.join());
    }

    EventExecutor loop() {
        EventExecutor loop = sessions.loop();
        if (loop == null) {
            throw StoreException.notSent("Redis is not connected yet", null);
        }
        return loop;
    }

    /** The connection if it was opened, or the attempt to open it: a new one if the last one failed. */
    CompletableFuture<StatefulConnection<String, String>> connection() {
        CompletableFuture<StatefulConnection<String, String>> present = connection.get();
        if (present != null && !present.isCompletedExceptionally()) {
            return present;
        }
        CompletableFuture<StatefulConnection<String, String>> fresh = new CompletableFuture<>();
        if (!connection.compareAndSet(present, fresh)) {
            return connection();
        }
        try {
            connector.execute(() -> connect(fresh));
        } catch (RejectedExecutionException closed) {
            fresh.completeExceptionally(
                    StoreException.notSent("the lock client's connection to Redis is stopped", closed));
        }
        return fresh;
    }

    private void connect(CompletableFuture<StatefulConnection<String, String>> promise) {
        try {
            if (client == null) {
                client = source.open(safety);
            }
            promise.complete(connect(client));
            lastFailure = "";
            warned = false;
            warnedOfDenial = false;
        } catch (RuntimeException | Error failed) {
            String reason = RedisReplies.reason(failed).replace("/<unresolved>", "");
            lastFailure = "; the last attempt failed: " + reason;
            boolean denied = RedisReplies.isDenied(failed);
            warn(reason, denied);
            promise.completeExceptionally(
                    denied
                            ? StoreException.denied(
                                    "Redis refused: " + reason
                                            + " (spring.data.redis.username and .password, or the URI)",
                                    failed)
                            : StoreException.notSent("Redis can't be reached: " + reason, failed));
        }
    }

    /**
     * Once until a connection succeeds: calls and health checks try again all the time. Once more if Redis denies the
     * user after it could not be reached: the advice is another one then.
     */
    private void warn(String reason, boolean denied) {
        if (!warned || (denied && !warnedOfDenial)) {
            warned = true;
            warnedOfDenial = denied;
            Warnings.write(
                    ClientConnection.class,
                    "Locks can't reach Redis (" + reason + "); calls under a lock fail with LockUnavailableException"
                            + " until they can. "
                            + (denied
                                    ? "Check the user and its password: spring.data.redis.username and .password"
                                    : "Check its address: spring.data.redis.*")
                            + ", or the URI");
        }
    }

    private StatefulConnection<String, String> connect(AbstractRedisClient client) {
        if (client instanceof RedisClusterClient cluster) {
            return open(cluster);
        }
        return open((RedisClient) client);
    }

    /** Scripts and messages share the connections to the nodes and stay in order; see {@link ClusterSubscriptions}. */
    private StatefulConnection<String, String> open(RedisClusterClient cluster) {
        if (messageListener == null) {
            return cluster.connect(StringCodec.UTF8);
        }
        ClusterSubscriptions all = new ClusterSubscriptions(messageListener);
        cluster.addListener(all);
        try {
            StatefulRedisClusterPubSubConnection<String, String> connection = cluster.connectPubSub(StringCodec.UTF8);
            posts = lock -> {
                Subscription there = all.of(connection, lock.get());
                return there == null ? ServerSubscriber.NONE : there;
            };
            newMasters = ClusterSubscriptions.connectToNewMasters(
                    connection, cluster.getResources().eventBus());
            return connection;
        } catch (RuntimeException failed) {
            cluster.removeListener(all);
            throw failed;
        }
    }

    private StatefulRedisConnection<String, String> open(RedisClient standalone) {
        if (messageListener == null) {
            return standalone.connect(StringCodec.UTF8);
        }
        StatefulRedisPubSubConnection<String, String> connection = standalone.connectPubSub(StringCodec.UTF8);
        Subscription subscription = Subscription.at(connection, messageListener);
        posts = lock -> subscription;
        return connection;
    }

    /** Where messages arrive from the server that has this lock. */
    ServerSubscriber post(Supplier<String> lock) {
        return posts.apply(lock);
    }

    private static RedisScriptingAsyncCommands<String, String> scripting(
            StatefulConnection<String, String> connection) {
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            return cluster.async();
        }
        return ((StatefulRedisConnection<String, String>) connection).async();
    }

    /** Whether keys of different hash slots may not share a script: in a Cluster, or behind one address. */
    boolean isSharded() {
        CompletableFuture<StatefulConnection<String, String>> present = connection.get();
        StatefulConnection<String, String> opened =
                present == null || present.isCompletedExceptionally() ? null : present.getNow(null);
        return sharded
                || opened instanceof StatefulRedisClusterPubSubConnection
                || opened instanceof StatefulRedisClusterConnection;
    }

    /** The server has refused a script because of the slots of its keys. */
    void becomesSharded() {
        sharded = true;
    }

    /** The server is not the one that takes writes any more: looks for the right one. */
    void lookElsewhere() {
        sessions.dropUsed();
    }

    boolean isSettled() {
        return sessions.allOver();
    }

    /** Ends connection and client on the thread that opens them, so that no half-open client is left behind. */
    void close() {
        connector.execute(() -> {
            CompletableFuture<StatefulConnection<String, String>> last = connection.get();
            newMasters.dispose();
            if (last != null) {
                last.thenAccept(StatefulConnection::close);
            }
            if (client != null) {
                source.close(client);
            }
            safety.close();
        });
        connector.shutdown();
        try {
            connector.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
