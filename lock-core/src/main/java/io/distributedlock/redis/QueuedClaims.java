package io.distributedlock.redis;

import io.distributedlock.redis.pubsub.MessageListener;
import io.distributedlock.redis.pubsub.ServerSubscriber;
import io.distributedlock.spi.Claim;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this process that the server may have in its queues, and the messages that tell them of their grants.
 *
 * <p>Claims are only queued at a server whose messages arrive; the others have to look for themselves. When messages may have been missed, every
 * claim that waits there tries again: if it was granted, the answer says so.
 *
 * <p>A message to a claim that has ended here passes its lock on. One to a claim that is not known at all is left alone: it can't be told from a
 * repetition to a claim that holds its lock by now, and what was granted runs out soon by itself.
 */
final class QueuedClaims implements MessageListener {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CAPACITY = 10_000;

    private final Map<String, QueuedClaim> claims = new ConcurrentHashMap<>();
    private final String channels;
    private volatile String address;
    private final String commonAddress;
    private final BiConsumer<String, GrantMessage> passOn;
    private final Consumer<String> forceReleased;

    /**
     * @param channels what the names of all channels begin with
     * @param passOn releases a lock that was granted to the given member of its queue, which waits no more
     * @param forceReleased takes each owner whose claim is released by force
     */
    QueuedClaims(String channels, BiConsumer<String, GrantMessage> passOn, Consumer<String> forceReleased) {
        this.channels = channels;
        this.address = freshAddress(channels);
        this.commonAddress = channels + "forced";
        this.passOn = passOn;
        this.forceReleased = forceReleased;
    }

    private static String freshAddress(String channels) {
        return channels + "grants:" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    @Override
    public void moves() {
        address = freshAddress(channels);
    }

    /** The claim, if it was or is to be queued at this post's server when it is refused; else null. */
    @Nullable
    QueuedClaim claim(Claim claim, Duration ttl, Duration patience, ServerSubscriber post) {
        return known(claim, patience, post, () -> new QueuedClaim(claim, ttl, patience, address, System::nanoTime));
    }

    /** The same for somebody who only wants to be told when the lock is let go of. */
    @Nullable
    QueuedClaim hint(Claim waiter, Duration patience, ServerSubscriber post) {
        return known(waiter, patience, post, () -> QueuedClaim.hint(waiter, patience, address, System::nanoTime));
    }

    private @Nullable QueuedClaim known(
            Claim claim, Duration patience, ServerSubscriber post, Supplier<QueuedClaim> maker) {
        QueuedClaim known = claims.get(claim.owner());
        if (known != null || patience.isZero() || !post.isOpen() || isFull()) {
            return known;
        }
        QueuedClaim fresh = maker.get();
        claims.put(claim.owner(), fresh);
        return fresh;
    }

    private boolean isFull() {
        if (claims.size() >= CAPACITY) {
            claims.values().removeIf(QueuedClaim::isForgotten);
        }
        return claims.size() >= CAPACITY;
    }

    /** The claim holds its lock, so the server has it in no queue, unless something sent earlier is still executed. */
    void served(Claim claim, QueuedClaim waiting) {
        if (waiting.isSettled()) {
            claims.remove(claim.owner(), waiting);
        }
    }

    /** A try had no effect. */
    void notQueued(Claim claim, QueuedClaim waiting) {
        if (waiting.isUnknownToServer()) {
            claims.remove(claim.owner(), waiting);
        }
    }

    /** The claim is about to be let go of. Gives what the server may have in its queue. */
    @Nullable
    QueuedClaim ending(Claim claim) {
        return claims.get(claim.owner());
    }

    /**
     * The server has let go of the claim. What is granted to it from now on, because of something sent earlier, is passed on; what was granted
     * before, that answer is about, so that a second release could only make it look like a loss.
     */
    void ended(QueuedClaim waiting) {
        waiting.end();
    }

    /** The server executes nothing any more that was sent for the claim. */
    void forget(Claim claim) {
        claims.remove(claim.owner());
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
        QueuedClaim waiting = grant == null ? null : claims.get(grant.owner());
        if (grant == null || waiting == null) {
            return;
        }
        if (waiting.isEnded()) {
            passOn.accept(waiting.member(), grant);
            return;
        }
        if (waiting.granted(grant) && waiting.isSettled() && !waiting.isHint()) {
            claims.remove(grant.owner(), waiting);
        }
    }

    @Override
    public void receivedByAll(String message) {
        forceReleased.accept(message);
    }
}
