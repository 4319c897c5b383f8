package io.distributedlock.redis.server;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the server refuses to do to locks that are held, with its own words, until it does it again. One node of a
 * Cluster, or one lock, may be refused while others are not, so nothing is over as long as a refusal is recent.
 */
public final class RefusedCommands {

    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Between two warnings of one kind. */
    static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    public enum Kind {
        RELEASE("release", "Each refused lock stays until its lease ends or a repetition of its release succeeds"),
        RENEWAL("renew", "Their holders lose them at the end of the lease");

        private final String verb;
        private final String consequence;

        Kind(String verb, String consequence) {
            this.verb = verb;
            this.consequence = consequence;
        }
    }

    private final Map<Kind, Refusal> refusals = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;
    private volatile Runnable hook = () -> {};

    public RefusedCommands(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Runs at each refusal. */
    public void onRefusal(Runnable hook) {
        this.hook = hook;
    }

    /**
     * Notes an answer, and warns of a refusal. What is done in another way now, because scripts are refused or the keys
     * are not all at one node, is none.
     */
    public void ended(Kind kind, @Nullable Throwable failure) {
        if (failure == null) {
            answered(kind);
            return;
        }
        StoreException known = RedisReplies.failure(failure);
        if (!RedisReplies.isWithoutScripts(known)
                && !RedisReplies.isDivided(known)
                && !RedisReplies.isCrossSlot(known)) {
            RedisReplies.errorOf(known)
                    .or(() -> Optional.ofNullable(known.isDenied() ? known.getMessage() : null))
                    .ifPresent(text -> refused(kind, text));
        }
    }

    private void answered(Kind kind) {
        Refusal last = refusals.get(kind);
        if (last != null && !last.isOver() && nanoTime.getAsLong() - last.at() >= RECENT_NANOS) {
            refusals.replace(kind, last, last.over());
        }
    }

    private void refused(Kind kind, String text) {
        String problem = "Redis refuses to " + kind.verb + " locks. " + kind.consequence + ". It answers: " + text;
        long now = nanoTime.getAsLong();
        Refusal fresh = refusals.merge(kind, new Refusal(problem, now, now, false), Refusal::followedBy);
        if (fresh.warnedAt() == now) {
            Warnings.write(RefusedCommands.class, problem);
        }
        hook.run();
    }

    public Optional<String> problem() {
        String all = refusals.values().stream()
                .filter(refusal -> !refusal.isOver())
                .map(Refusal::problem)
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    private record Refusal(String problem, long at, long warnedAt, boolean isOver) {

        Refusal over() {
            return new Refusal(problem, at, warnedAt, true);
        }

        Refusal followedBy(Refusal next) {
            boolean warns = next.at - warnedAt >= PAUSE_NANOS;
            return new Refusal(next.problem, next.at, warns ? next.warnedAt : warnedAt, false);
        }
    }
}
