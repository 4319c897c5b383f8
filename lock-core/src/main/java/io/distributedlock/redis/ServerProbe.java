package io.distributedlock.redis;

import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.redis.server.ServerInfo;
import io.distributedlock.spi.Claim;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Takes, extends and releases a lock of its own by the scripts that other locks are sent. So what a server does not
 * accept is known, and warned of, before the first of them needs it, and that it does again what it has refused is
 * noticed although no lock is held. Nothing waits for it, and an answer that does not come decides nothing.
 */
final class ServerProbe {

    /** So short that a process that ends meanwhile leaves nothing. */
    private static final Duration TTL = Duration.ofMillis(300);

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime = System::nanoTime;
    private final AtomicLong begunAt = new AtomicLong(nanoTime.getAsLong() - PAUSE_NANOS);
    private final ScriptExecutor commands;
    private final AcceptedScripts accepted;
    private final AcquireCommands attempts;
    private final ExtendCommands extensions;
    private final ReleaseCommands releases;
    private volatile String server = "unknown";

    ServerProbe(
            ScriptExecutor commands,
            AcceptedScripts accepted,
            AcquireCommands attempts,
            ExtendCommands extensions,
            ReleaseCommands releases) {
        this.commands = commands;
        this.accepted = accepted;
        this.attempts = attempts;
        this.extensions = extensions;
        this.releases = releases;
    }

    /** Name and version of the server; "unknown" if it does not say them. */
    String server() {
        return server;
    }

    /** The server may be another one. */
    void begin() {
        server = "unknown";
        ask();
    }

    /** Once more. */
    void again() {
        if (!isRecent()) {
            ask();
        }
    }

    private boolean isRecent() {
        return nanoTime.getAsLong() - begunAt.get() < PAUSE_NANOS;
    }

    /** A replica would refuse in any case, and each refusal would end its connection. */
    private void ask() {
        commands.plain(redis -> redis.dispatch(
                        CommandType.HELLO,
                        new NestedMultiOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)))
                .whenComplete((hello, failure) -> {
                    if (hello != null) {
                        server = ServerInfo.nameOf(hello);
                    }
                    if (hello == null ? RedisReplies.errorOf(failure).isPresent() : !ServerInfo.isReplica(hello)) {
                        tryScripts();
                    }
                });
    }

    /** Not more often than every second. */
    private void tryScripts() {
        long last = begunAt.get();
        if (!isRecent() && begunAt.compareAndSet(last, nanoTime.getAsLong())) {
            tryScripts(AcceptedScripts.CERTAIN);
        }
    }

    /** One round after the other, as long as something is refused that may be an accident. */
    private void tryScripts(int rounds) {
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        Claim claim = new Claim("distributed-lock:probe-" + random, random);
        attempts.acquireByScript(claim, TTL)
                .thenCompose(taken -> extensions
                        .extend(claim, 0, TTL)
                        .handle((left, failure) -> releases.releaseByScript(claim))
                        .thenCompose(release -> release))
                .thenRun(() -> {
                    if (rounds > 1 && accepted.areInDoubt()) {
                        tryScripts(rounds - 1);
                    }
                });
    }
}
