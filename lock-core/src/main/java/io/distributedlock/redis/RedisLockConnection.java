package io.distributedlock.redis;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.redis.pubsub.MessageListener;
import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a lock store, apart from the application's own. It is opened at the start or at the first command,
 * opened again when it breaks, and can be stopped and started together with an application context.
 *
 * <p>While there is no connection, commands fail at once as not sent; none is kept for later.
 */
public final class RedisLockConnection implements AutoCloseable {

    private final List<Runnable> hooks = new CopyOnWriteArrayList<>();
    private final List<LuaScript> scripts = new CopyOnWriteArrayList<>();
    private final RedisClientSource source;
    private final Duration commandTimeout;
    private final LongSupplier nanoTime;
    private final Object lifecycle = new Object();
    private volatile @Nullable ClientConnection link;
    private volatile @Nullable MessageListener messageListener;
    private volatile boolean stopped;
    private volatile @Nullable StoreException scriptRefusal;
    private final AtomicBoolean warnedOfScripts = new AtomicBoolean();

    /**
     * @param commandTimeout how long the answer to one command is waited for; a client of the store waits as long,
     *     unless it has a setting of its own
     */
    public RedisLockConnection(RedisClientSource source, Duration commandTimeout) {
        this(source, commandTimeout, System::nanoTime);
    }

    /** @param nanoTime the monotonic clock of all that happens on this connection */
    RedisLockConnection(RedisClientSource source, Duration commandTimeout, LongSupplier nanoTime) {
        this.source = source;
        this.commandTimeout = commandTimeout;
        this.nanoTime = nanoTime;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    Duration commandTimeout() {
        return commandTimeout;
    }

    /**
     * Allows connections, and begins to open one in the background, so that the first lock does not have to wait for
     * it. That it may fail is no error here: the next command tries again. Without a start, the first command opens the
     * connection; only after {@link #stop()} is it needed.
     */
    public void start() {
        start(Duration.ZERO);
    }

    /**
     * The same, but leaves the processors to others first: an application that starts loads much of the same driver at
     * this moment, and both would be slower.
     *
     * @param pause how long nothing is opened unless a command comes before
     */
    public void start(Duration pause) {
        synchronized (lifecycle) {
            stopped = false;
        }
        if (pause.isZero()) {
            ready();
        } else {
            CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::ready);
        }
    }

    /** Closes everything and forgets the client; until {@link #start()} commands fail as not sent. */
    public void stop() {
        ClientConnection last;
        synchronized (lifecycle) {
            stopped = true;
            last = link;
            link = null;
        }
        if (last != null) {
            last.close();
        }
    }

    /**
     * Opens the connection unless it is open, and completes when it is.
     *
     * @return fails with a {@link StoreException} if this attempt fails; the next command, or call of this method,
     *     tries again
     */
    public CompletionStage<?> ready() {
        ClientConnection current = current();
        return current == null ? CompletableFuture.failedFuture(stoppedNow()) : current.connection();
    }

    /** @throws StoreException as not sent if there is no connection yet, or no more */
    RedisScriptingAsyncCommands<String, String> commands() {
        ClientConnection current = current();
        if (current == null) {
            throw stoppedNow();
        }
        return current.commands();
    }

    /**
     * Where the answers to commands arrive; good for short tasks that belong to the connection.
     *
     * @throws StoreException as not sent if there is no connection yet, or no more
     */
    EventExecutor loop() {
        ClientConnection current = current();
        if (current == null) {
            throw stoppedNow();
        }
        return current.loop();
    }

    /** For commands beside those of locks. */
    @SuppressWarnings("unchecked")
    BaseRedisAsyncCommands<String, String> anyCommand() {
        return (BaseRedisAsyncCommands<String, String>) commands();
    }

    /**
     * Runs a script. What is no answer becomes a failure that says what is known of the effect, here and in {@link
     * #plain}.
     */
    CompletionStage<Object> run(LuaScript script, ScriptOutputType output, List<String> touched, String... args) {
        return answered(() -> script.run(commands(), output, touched, args));
    }

    /** The answer to a command that is no script. */
    <T> CompletionStage<T> plain(Function<BaseRedisAsyncCommands<String, String>, CompletionStage<T>> command) {
        return answered(() -> command.apply(anyCommand()));
    }

    private <T> CompletionStage<T> answered(Supplier<CompletionStage<T>> call) {
        try {
            return call.get().exceptionally(failure -> {
                throw noted(RedisReplies.failure(failure));
            });
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(RedisReplies.failure(notSent));
        }
    }

    /** Runs a task in a while; not if the connections are stopped by then. Returns whether it is planned. */
    boolean later(Duration pause, Runnable task) {
        try {
            loop().schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (StoreException | RejectedExecutionException notConnected) {
            return false;
        }
    }

    /** The answer; or another one if nothing was done because the keys were not all at one node of a Cluster. */
    <T> CompletionStage<T> unlessDivided(CompletionStage<T> answer, Supplier<CompletionStage<T>> otherwise) {
        return isSharded()
                ? answer.exceptionallyCompose(failure ->
                        RedisReplies.isDivided(failure) ? otherwise.get() : CompletableFuture.failedFuture(failure))
                : answer;
    }

    static StoreException stoppedNow() {
        return StoreException.notSent("the lock client's connection to Redis is stopped", null);
    }

    private @Nullable ClientConnection current() {
        ClientConnection open = link;
        if (open != null || stopped) {
            return open;
        }
        synchronized (lifecycle) {
            if (link == null && !stopped) {
                MessageListener listener = messageListener;
                if (listener != null) {
                    listener.moves();
                }
                ClientConnection fresh = new ClientConnection(source, commandTimeout, listener, scripts);
                // The driver announces a connection before it hands it over, and hooks send commands.
                fresh.onReachable(() -> fresh.connection().thenRun(this::reachable));
                link = fresh;
            }
            return link;
        }
    }

    private void reachable() {
        scriptRefusal = null;
        hooks.forEach(Runnable::run);
    }

    /** Where messages to the listener arrive from the server that has this lock. */
    ServerSubscriber post(Supplier<String> lock) {
        ClientConnection open = link;
        return open == null ? ServerSubscriber.NONE : open.post(lock);
    }

    /** Has messages delivered, on connections that are opened from now on. */
    void deliverTo(MessageListener listener) {
        if (messageListener != null) {
            throw new IllegalStateException("This connection has a lock store already: open one for each");
        }
        messageListener = listener;
    }

    /** Has servers know these scripts before they are called, on connections that are opened from now on. */
    void load(List<LuaScript> called) {
        scripts.addAll(called);
    }

    void onReachable(Runnable hook) {
        hooks.add(hook);
    }

    /** Whether keys of different hash slots may not share a script; false as long as that is not known. */
    boolean isSharded() {
        ClientConnection current = current();
        return current != null && current.isSharded();
    }

    /** How the server has refused to run scripts since it was reached last; null if it has not. */
    @Nullable
    StoreException scriptRefusal() {
        return scriptRefusal;
    }

    /** The server runs no scripts, or not those of locks; until it is reached anew, it is asked for none. */
    void refuseScripts(StoreException refusal) {
        scriptRefusal = refusal;
        if (warnedOfScripts.compareAndSet(false, true)) {
            Warnings.write(
                    RedisLockConnection.class,
                    "This Redis runs no scripts for the user of the locks. Exclusive locks are kept by commands that"
                            + " compare instead, if it has them; waiters poll, and shared locks, fencing tokens and"
                            + " quorums are refused. Grant +eval +evalsha, or switch scripts on; see"
                            + " docs/where-your-redis-is.md. It answers: "
                            + RedisReplies.errorOf(refusal).orElse(""));
        }
    }

    /** Scripts are worth another try: without them there are no locks at all. */
    void needsScripts() {
        scriptRefusal = null;
    }

    /**
     * The same failure. If it came from a replica, the connection is ended, so that the next one leads to where the
     * master is now. If it came from shards behind one address, the keys of later scripts are chosen by slot.
     */
    StoreException noted(StoreException failure) {
        ClientConnection current = current();
        if (current != null && RedisReplies.isCrossSlot(failure)) {
            current.becomesSharded();
        }
        if (RedisReplies.isWithoutScripts(failure)) {
            refuseScripts(failure);
        }
        if (current != null && RedisReplies.isFromReplica(failure)) {
            current.lookElsewhere();
        }
        return failure;
    }

    /** Whether nothing that was sent on a connection that has ended can still be executed. */
    boolean isSettled() {
        ClientConnection current = current();
        return current != null && current.isSettled();
    }

    /** Publishes a message that may be missed, and will be if there is no connection now. */
    void announce(String channel, String message) {
        try {
            anyCommand().publish(channel, message);
        } catch (StoreException notConnected) {
            // Nothing depends on it.
        }
    }

    @Override
    public void close() {
        stop();
    }
}
