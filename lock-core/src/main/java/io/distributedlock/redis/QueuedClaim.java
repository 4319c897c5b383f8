package io.distributedlock.redis;

import io.distributedlock.redis.pubsub.GrantMessage;
import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A claim of this process that the server may have in a queue, from its first try on. The message of its grant may
 * overtake the reply with its place, because different threads handle them; the second one of the two completes the
 * notification.
 */
final class QueuedClaim {

    /** For how much longer than its patience a claim may be granted the lock; it withdraws itself much sooner. */
    static final Duration MARGIN = Duration.ofSeconds(1);

    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

    private final AtomicReference<@Nullable Refusal> refusal = new AtomicReference<>();
    private final AtomicReference<@Nullable GrantMessage> grant = new AtomicReference<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final LongSupplier nanoTime;
    private final Claim claim;
    private final long number;
    private final boolean isHint;
    private final Duration lease;
    private final String member;
    private final long forgottenAt;
    private volatile ServerSubscriber post = ServerSubscriber.NONE;
    private volatile boolean tried;
    private volatile boolean queued;
    private volatile boolean doubtful;
    private volatile boolean ended;
    private volatile boolean leftBehind;

    /**
     * @param ttl null for a hint: a claim that is notified of a release, but not granted the lock
     * @param number its own in this process
     */
    QueuedClaim(
            Claim claim,
            @Nullable Duration ttl,
            Duration patience,
            String channel,
            long number,
            LongSupplier nanoTime) {
        this.claim = claim;
        this.nanoTime = nanoTime;
        this.number = number;
        this.isHint = ttl == null;
        this.lease = ttl == null ? Duration.ZERO : lease(ttl);
        String address = channel + " " + number + " " + claim.owner();
        String kind = isHint ? " hint" : claim.isShared() ? " shared" : claim.fenced() ? " fenced" : "";
        this.member = EncodedArguments.millis(lease) + " " + EncodedArguments.millis(patience.plus(MARGIN)) + " "
                + address + kind;
        this.forgottenAt = nanoTime.getAsLong() + patience.plus(FORGOTTEN_AFTER).toNanos();
    }

    private static Duration lease(Duration ttl) {
        return ttl.compareTo(LockStore.LONGEST_DIRECT_LEASE) < 0 ? ttl : LockStore.LONGEST_DIRECT_LEASE;
    }

    Claim claim() {
        return claim;
    }

    long number() {
        return number;
    }

    /** Whether a message to it grants nothing. */
    boolean isHint() {
        return isHint;
    }

    /** How it is written in the queue: always the same, so that a repetition keeps its place. */
    String member() {
        return member;
    }

    /** A try is about to be sent, to the server of this post as far as is known. Returns when. */
    long trying(ServerSubscriber to) {
        post = to;
        unanswered.incrementAndGet();
        tried = true;
        return nanoTime.getAsLong();
    }

    boolean wasTried() {
        return tried;
    }

    /** A try was answered, or failed; {@code doubtful} if it may still be executed. */
    void tried(boolean doubtful) {
        this.doubtful |= doubtful;
        unanswered.decrementAndGet();
    }

    /** The server has it in the queue since {@code refusedAt} or before. */
    CompletionStage<Optional<Granted>> refused(long refusedAt, long sentAt) {
        queued = true;
        Refusal latest = new Refusal(refusedAt, sentAt, new CompletableFuture<>());
        refusal.set(latest);
        completeNews();
        return latest.news();
    }

    /** Returns whether the message ends the wait. Another node may repeat one that has ended an earlier wait. */
    boolean granted(GrantMessage message) {
        Refusal latest = refusal.get();
        boolean repeated = latest != null && message.grantedAt() < latest.refusedAt();
        if (!repeated) {
            grant.set(message);
            completeNews();
        }
        return latest != null && !repeated;
    }

    private void completeNews() {
        Refusal latest = refusal.get();
        GrantMessage message = grant.get();
        if (latest != null && message != null && message.grantedAt() >= latest.refusedAt()) {
            Duration sinceSent = Duration.ofNanos(nanoTime.getAsLong() - latest.sentAt());
            latest.news()
                    .complete(
                            isHint
                                    ? Optional.empty()
                                    : Optional.of(message.since(latest.refusedAt(), lease, sinceSent)));
        }
    }

    /** Messages that were sent there before now may have been missed. */
    void tryAgainAfter(ServerSubscriber there) {
        Refusal latest = refusal.get();
        if (latest != null && (post == there || !post.isOpen())) {
            latest.news().complete(Optional.empty());
        }
    }

    /** Whether the server has never had it in a queue, and nothing is on its way that could put it there. */
    boolean isUnknownToServer() {
        return !queued && isSettled();
    }

    /** Whether nothing that was sent for it can still be executed. */
    boolean isSettled() {
        return !doubtful && isAnswered();
    }

    /** Whether each try that was begun has ended. */
    boolean isAnswered() {
        return unanswered.get() == 0;
    }

    void end() {
        ended = true;
    }

    /** It has ended, but what freed its lock could not look at the queue. */
    void leaveBehind() {
        leftBehind = true;
    }

    /** Whether a server may still have it in its queue although it has ended. */
    boolean isLeftBehind() {
        return leftBehind;
    }

    boolean isEnded() {
        return ended;
    }

    /** Whether it should have ended long ago. */
    boolean isForgotten() {
        return nanoTime.getAsLong() - forgottenAt >= 0;
    }

    private record Refusal(long refusedAt, long sentAt, CompletableFuture<Optional<Granted>> news) {}
}
