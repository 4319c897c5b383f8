package io.distributedlock.redis;

import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.redis.server.ServerInfo;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes, extends and releases a lock of its own in the way in which other locks are. So what a server does not accept
 * is known, and warned of, before the first of them needs it. What was refused is tried every second until it is over,
 * which is noticed although no lock is held. Nothing waits for it, and an answer that does not come decides nothing.
 */
final class ServerProbe {

    /** So short that a process that ends meanwhile leaves nothing. */
    private static final Duration TTL = Duration.ofMillis(300);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final AtomicLong begunAt;
    private final AtomicLong plannedAt;
    private final RedisLockConnection commands;
    private final AcceptedScripts accepted;
    private final AcquireCommands attempts;
    private final ExtendCommands extensions;
    private final ReleaseCommands releases;
    private final RefusedCommands refused;
    private final Supplier<@Nullable LockStore> withoutScripts;
    private volatile String server = "unknown";

    /** @param withoutScripts where locks are kept now; null while that is done by scripts */
    ServerProbe(
            RedisLockConnection commands,
            AcceptedScripts accepted,
            AcquireCommands attempts,
            ExtendCommands extensions,
            ReleaseCommands releases,
            RefusedCommands refused,
            Supplier<@Nullable LockStore> withoutScripts) {
        this.commands = commands;
        this.nanoTime = commands.nanoTime();
        this.begunAt = new AtomicLong(aPauseAgo());
        this.plannedAt = new AtomicLong(aPauseAgo());
        this.accepted = accepted;
        this.attempts = attempts;
        this.extensions = extensions;
        this.releases = releases;
        this.refused = refused;
        this.withoutScripts = withoutScripts;
        refused.onRefusal(this::again);
    }

    /** Name and version of the server; "unknown" if it does not say them. */
    String server() {
        return server;
    }

    /** A connection was opened. */
    void begin() {
        renew();
        ask();
    }

    /** The same without a lock. */
    void nameServer() {
        renew();
        hello();
    }

    /** The server may be another one, and the next look may have gone with a connection that was stopped. */
    private void renew() {
        server = "unknown";
        plannedAt.set(aPauseAgo());
        if (refused.problem().isPresent()) {
            again();
        }
    }

    /** In a while, and then again and again until nothing is refused any more. */
    private void again() {
        if (isDue(plannedAt)) {
            commands.later(PAUSE, this::askIfRefused);
        }
    }

    private void askIfRefused() {
        if (refused.problem().isPresent()) {
            again();
            ask();
        }
    }

    /** Not more often than every second, however many connections are opened, or commands refused. */
    private boolean isDue(AtomicLong last) {
        long before = last.get();
        long now = nanoTime.getAsLong();
        return now - before >= PAUSE.toNanos() && last.compareAndSet(before, now);
    }

    private long aPauseAgo() {
        return nanoTime.getAsLong() - PAUSE.toNanos();
    }

    /**
     * A replica would refuse in any case, and each refusal would end its connection. In a Cluster any node may say its
     * name, but the lock of the probe is at a master.
     */
    private void ask() {
        hello().whenComplete((hello, failure) -> {
            if (hello == null
                    ? RedisReplies.errorOf(failure).isPresent()
                    : commands.isSharded() || !ServerInfo.isReplica(hello)) {
                tryOnce();
            }
        });
    }

    private CompletionStage<List<Object>> hello() {
        return commands.plain(redis -> redis.dispatch(
                        CommandType.HELLO,
                        new NestedMultiOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)))
                .whenComplete((hello, failure) -> {
                    if (hello != null) {
                        server = ServerInfo.nameOf(hello);
                    }
                });
    }

    private void tryOnce() {
        if (isDue(begunAt)) {
            LockStore plain = withoutScripts.get();
            if (plain == null) {
                tryScripts(AcceptedScripts.CERTAIN);
            } else {
                tryIn(plain);
            }
        }
    }

    /** One round after the other, as long as something is refused that may be an accident. */
    private void tryScripts(int rounds) {
        Claim claim = claim();
        attempts.acquireByScript(claim, TTL)
                .thenCompose(
                        taken -> afterwards(extensions.extend(claim, 0, TTL), () -> releases.releaseByScript(claim)))
                .thenRun(() -> {
                    if (rounds > 1 && accepted.areInDoubt()) {
                        tryScripts(rounds - 1);
                    }
                });
    }

    /** A little longer, so that the extension has something to do. */
    private static void tryIn(LockStore store) {
        Claim claim = claim();
        store.acquire(claim, TTL, Duration.ZERO)
                .thenCompose(
                        taken -> afterwards(store.extend(claim, 0, TTL.multipliedBy(2)), () -> store.release(claim)));
    }

    private static Claim claim() {
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return new Claim(LockKeys.PROBE + "-" + random, random);
    }

    private static <T> CompletionStage<T> afterwards(CompletionStage<?> first, Supplier<CompletionStage<T>> then) {
        return first.handle((answer, failure) -> then.get()).thenCompose(answer -> answer);
    }
}
