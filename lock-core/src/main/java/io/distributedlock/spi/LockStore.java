package io.distributedlock.spi;

import io.distributedlock.LockMode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A place that keeps locks: three asynchronous verbs on a {@link Claim}, each one atomic and idempotent for the claim's
 * owner.
 *
 * <p>A call ends in a definite answer or in a {@link StoreException} that says what is known of its effect; any other
 * failure counts as {@link StoreException.Effect#UNKNOWN}. A store sets no time limits of its own that are shorter than
 * its caller's: the caller stops waiting when it wants to and still listens, so an answer that comes late has to be
 * delivered late rather than dropped.
 *
 * <p>A store that can extend many leases for less than one by one is a {@link BatchExtension} as well.
 *
 * <p>Answers may arrive on any thread, so what is attached to them must not block. Calls made for one claim one after
 * the other on a healthy connection are executed in that order.
 */
public interface LockStore extends AutoCloseable {

    /**
     * The longest lease that a queued claim is given at first when its turn comes. Short, because the client that it is
     * given to may have stopped to react; the holder extends it.
     */
    Duration LONGEST_DIRECT_LEASE = Duration.ofSeconds(3);

    /**
     * Tries once to take the lock for the claim's owner. Repeating it with the same owner is safe: it never takes a
     * second lock, it distinguishes a grant to this owner from a grant to another, and a queued claim keeps its
     * place.
     *
     * <p>If the claim is refused and has patience, a store with a queue appends it in the same step. A later release
     * gives the lock to the first claim in the queue, for {@link #LONGEST_DIRECT_LEASE} or {@code ttl} if that is
     * shorter, so that no other owner can take it in between. A queued claim that ends otherwise has to be {@linkplain
     * #release released}.
     *
     * <p>A {@linkplain LockMode#SHARED shared} claim is granted beside other shared ones, each with a lease and a token
     * of its own. It is refused while an exclusive claim with patience waits, so that a stream of shared claims can't
     * keep that one waiting for ever.
     *
     * @param ttl after this time the store frees the lock by itself; a lock that this owner holds already keeps its
     *     earlier expiry
     * @param patience how long the claim goes on waiting if it is refused; not much later it is given nothing any more.
     *     Zero means that it does not wait, and is not queued
     */
    CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience);

    /**
     * Extends the lease of the claim's owner to {@code ttl} from now if it would end earlier; never takes a free lock,
     * and never shortens a lease.
     *
     * @param token the server token of the grant; the store never hands out this or a smaller one afterwards
     * @return how long the lease lasts at least, counted from the moment at which the command was sent: {@code ttl}, or
     *     what is left of a longer lease; zero if the owner does not hold the lock any more
     */
    CompletionStage<Duration> extend(Claim claim, long token, Duration ttl);

    /**
     * Releases whatever the store has for the claim's owner: a place in the queue is given up, and a lock, also one
     * that was granted meanwhile, passes to the next claim in the queue, or is freed if there is none. So this
     * withdraws a claim that waits or whose outcome is unknown, too. Never touches another owner's lock.
     */
    CompletionStage<Release> release(Claim claim);

    /**
     * Which claims this store takes. One that exceeds them is refused like any command that the store does not execute.
     */
    default StoreLimits limits() {
        return StoreLimits.NONE;
    }

    /**
     * Ends an exclusive hold, but keeps the lock taken: its lease ends {@code time} from now, earlier or later than it
     * would have. So no client has to come back to free it. A store that can't do that leaves the lock to its lease.
     *
     * @return false if the owner does not hold the lock any more
     */
    default CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return CompletableFuture.completedFuture(true);
    }

    /**
     * Completes when commands can be sent, and fails with {@link StoreException.Effect#NOT_SENT} if that can't be
     * reached. Asking starts to connect where it is needed; commands themselves never wait for a connection.
     */
    default CompletionStage<?> ready() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Registers a hook that runs each time the store becomes reachable again after it was not. It runs on a thread of
     * the store and must not block. A store that is always reachable never calls it.
     */
    default void onReachable(Runnable hook) {}

    /** Where clients write who they are, for people who ask who holds a lock; empty if this store has no such place. */
    default Optional<ClientRoster> roster() {
        return Optional.empty();
    }

    @Override
    void close();
}
