package io.distributedlock.redis;

import io.distributedlock.redis.pubsub.GrantMessage;
import io.distributedlock.redis.pubsub.MessageListener;
import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.redis.script.Sha1;
import io.distributedlock.spi.Claim;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this process that the server may have in its queues, and the messages that notify them of their grants.
 *
 * <p>Claims are only queued at a server whose messages arrive; the others poll. When messages may have been missed,
 * every claim that waits there tries again: if it was granted, the answer says so.
 *
 * <p>A message to a claim that has ended here releases what it was granted. One to an unknown claim is ignored: it may
 * be a repetition to a claim that holds its lock by now, and what was granted expires soon by itself. So is one that
 * does not carry the claim's signature.
 */
final class QueuedClaims implements MessageListener {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CAPACITY = 10_000;
    private static final Duration LOOK_PERIOD = Duration.ofMinutes(1);

    /** By owner. */
    private final Map<String, QueuedClaim> claims = new ConcurrentHashMap<>();
    /** The same by the number that messages name. */
    private final Map<Long, QueuedClaim> byNumber = new ConcurrentHashMap<>();

    private final AtomicLong lastNumber = new AtomicLong();
    private final AtomicLong nextLook;
    private final String channels;
    private volatile String address;
    private final String commonAddress;
    private final Consumer<Claim> passOn;
    private final Consumer<Predicate<String>> forceReleased;
    private final Consumer<String> unheard;
    private final LongSupplier nanoTime;

    /**
     * @param channels what the names of all channels begin with
     * @param passOn releases a claim that was granted its lock but waits no more
     * @param forceReleased takes a test for the owner whose claim is released by force
     * @param unheard takes the reason why no message arrives from a server
     */
    QueuedClaims(
            String channels,
            Consumer<Claim> passOn,
            Consumer<Predicate<String>> forceReleased,
            Consumer<String> unheard,
            LongSupplier nanoTime) {
        this.channels = channels;
        this.address = freshAddress(channels);
        this.commonAddress = channels + "forced";
        this.passOn = passOn;
        this.forceReleased = forceReleased;
        this.unheard = unheard;
        this.nanoTime = nanoTime;
        this.nextLook = new AtomicLong(nanoTime.getAsLong() + LOOK_PERIOD.toNanos());
    }

    private static String freshAddress(String channels) {
        return channels + "grants:" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    @Override
    public void unheard(String reason) {
        unheard.accept(reason);
    }

    @Override
    public void moves() {
        address = freshAddress(channels);
    }

    /**
     * The claim, if it was or is to be queued at this post's server when it is refused; else null.
     *
     * @param ttl null for a hint
     */
    @Nullable
    QueuedClaim claim(Claim claim, @Nullable Duration ttl, Duration patience, ServerSubscriber post) {
        QueuedClaim known = claims.get(claim.owner());
        if (known != null || patience.isZero() || !post.isOpen()) {
            return known;
        }
        forgetOldOnes();
        if (isFull()) {
            return null;
        }
        QueuedClaim fresh = new QueuedClaim(claim, ttl, patience, address, lastNumber.incrementAndGet(), nanoTime);
        claims.put(claim.owner(), fresh);
        byNumber.put(fresh.number(), fresh);
        return fresh;
    }

    /** Claims that should have ended long ago are forgotten once a minute, and where there is no place for more. */
    private void forgetOldOnes() {
        long due = nextLook.get();
        long now = nanoTime.getAsLong();
        boolean isTimeToLook = now - due >= 0 && nextLook.compareAndSet(due, now + LOOK_PERIOD.toNanos());
        if (isTimeToLook || isFull()) {
            claims.values().stream().filter(QueuedClaim::isForgotten).forEach(this::forget);
        }
    }

    private boolean isFull() {
        return claims.size() >= CAPACITY;
    }

    /** The claim holds its lock, so the server has it in no queue, unless something sent earlier is still executed. */
    void served(QueuedClaim waiting) {
        if (waiting.isSettled()) {
            forget(waiting);
        }
    }

    /** A try had no effect. */
    void notQueued(QueuedClaim waiting) {
        if (waiting.isUnknownToServer()) {
            forget(waiting);
        }
    }

    /** What the server may have of this claim in its queue. */
    @Nullable
    QueuedClaim of(Claim claim) {
        return claims.get(claim.owner());
    }

    /** The server executes nothing any more that was sent for the claim. */
    void forget(QueuedClaim waiting) {
        claims.remove(waiting.claim().owner(), waiting);
        byNumber.remove(waiting.number());
    }

    int size() {
        return claims.size();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public String commonAddress() {
        return commonAddress;
    }

    @Override
    public void opened(ServerSubscriber there) {
        claims.values().forEach(claim -> claim.tryAgainAfter(there));
    }

    @Override
    public void received(String message) {
        GrantMessage grant = GrantMessage.parse(message);
        QueuedClaim waiting = grant == null ? null : byNumber.get(grant.number());
        if (grant == null
                || waiting == null
                || !grant.isSignedFor(waiting.claim().owner())) {
            return;
        }
        if (waiting.isEnded()) {
            passOn.accept(waiting.claim());
        } else if (waiting.granted(grant) && waiting.isSettled() && !waiting.isHint()) {
            forget(waiting);
        }
    }

    /** @param message the SHA-1 of an owner, because every user of the server may read it */
    @Override
    public void receivedByAll(String message) {
        forceReleased.accept(owner -> Sha1.sha1(owner).equals(message));
    }
}
