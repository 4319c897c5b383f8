package io.distributedlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A lock that was granted: a value to close, not a thread to match. Any thread may use it.
 *
 * <p>Guaranteed: a fencing token never changes once it is known; {@link #isHeld()} turns false, and {@link #lost()}
 * completes, before the store could grant the lock to another owner because its lease ran out. Both are computed from
 * the monotonic clock of this process, with a margin for its drift.
 *
 * <p>Not guaranteed: that a check and the write that follows it are one step. A process that is paused between the two
 * can write after the next holder; only a resource that compares {@linkplain #fencingToken() fencing tokens} can refuse
 * that. If the store itself loses data, the holder is notified at its next renewal.
 */
public interface LockHandle extends AutoCloseable {

    /** The static part of the lock's identity. */
    String name();

    /** The variable part of the lock's identity; the keys of several locks are joined by commas. */
    String key();

    /**
     * What this handle is made of: the locks of {@linkplain LockRequest#keys() several keys} one by one, in the order
     * of the keys; else itself.
     */
    default List<LockHandle> parts() {
        return List.of(this);
    }

    /**
     * A number that is larger than that of every earlier holder of this lock. Give it to the resource that the lock
     * protects, and let that resource refuse smaller ones.
     *
     * <p>A lock that was requested {@linkplain LockRequest#withFencing() with fencing}, and one that is shared, has its
     * token from the start, also after its end. Else the first call draws it from the store and waits for the answer,
     * one command timeout at most.
     *
     * @throws LockLostException if the token has to be drawn and the lock is not held any more
     * @throws LockUnavailableException if the store does not answer; the lock is still held
     * @throws IllegalStateException if these are the locks of several keys: each of the {@link #parts()} has a token of
     *     its own
     */
    long fencingToken();

    /** {@link #fencingToken()} without blocking; the exceptions of that arrive in the future. */
    CompletableFuture<Long> fencingTokenAsync();

    /**
     * Whether the lock is held now, computed at each call. After the machine seems to have been suspended for longer
     * than the lease, it is false until the store has confirmed the lock.
     */
    boolean isHeld();

    /**
     * A lower bound of the time for which the lock is still held unless it is renewed; zero once it is lost or
     * released.
     */
    Duration remaining();

    /**
     * Where the lock is in its life, computed at each call: {@link #isHeld()}, with what this process knows of the risk
     * that it is lost.
     */
    LockState state();

    /** @throws LockLostException if the lock is not held any more */
    void requireHeld();

    /**
     * {@link #requireHeld()} before work that takes a while: a write, or a commit.
     *
     * @throws LockLostException if the lock is not held any more, or if less than {@code atLeast} is {@linkplain
     *     #remaining() left} of it; it is still held then, but the work might outlive it. A renewed lock has nearly
     *     half of its ttl left, or more, while it is {@link LockState#HELD}. One that another process has just handed
     *     over, and one with an explicit ttl, is kept for some seconds at first; if {@code atLeast} is longer, this
     *     asks the store for the rest of the ttl and waits for its answer, one command timeout at most
     */
    void requireHeld(Duration atLeast);

    /**
     * Completes when the lock is lost, with the reason; never after an orderly release. It completes on a thread of the
     * lock client that no other code than callbacks of losses can occupy. The lock is freed when they have returned,
     * after 100 ms at the latest; use {@code thenRunAsync} for what blocks.
     */
    CompletionStage<LossReason> lost();

    /**
     * Lets the lease end {@code ttl} from now instead of when it would have.
     *
     * @return true once the store has confirmed it; false if the lock is lost. It fails with a {@link
     *     LockUnavailableException} if the store gave no definite answer: the old lease then still counts
     */
    CompletableFuture<Boolean> extendAsync(Duration ttl);

    /**
     * Lets the lock outlive the thread that acquired it. A renewed lock that a thread has waited for belongs to this
     * thread: it is lost if the thread ends without having released it. Call this before the handle is given to another
     * thread for good. A lock from {@link LockClient#acquireAsync} belongs to no thread.
     */
    void unbind();

    /**
     * Releases the lock and waits until the store has confirmed it, at most for a command timeout. Not interruptible.
     * If the store can't confirm, the release is repeated in the background until it is certain, and this call returns
     * normally, because the lock was valid until now. Calling it again does nothing.
     *
     * @throws LockLostException if the lock had been lost before
     */
    void release();

    /** {@link #release()} without waiting; fails with a {@link LockLostException} where that one throws. */
    CompletableFuture<Void> releaseAsync();

    @Override
    default void close() {
        release();
    }
}
