package io.distributedlock.quorum;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockHints;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One of the independent stores of a quorum.
 *
 * @param name how messages speak of it, for example host and port; never with credentials
 * @param store the store; it must not share a server, a disk or a replication stream with any other node
 */
public record QuorumNode(String name, LockStore store) {

    public QuorumNode {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A quorum node needs a name for messages, such as host and port");
        }
    }

    /** One vote on an acquire, for a waiter that wants to be notified of releases if it is refused. */
    CompletionStage<AcquireResult> acquire(Claim owner, Duration ttl, Claim waiter, Duration patience) {
        return store instanceof LockHints hints && !patience.isZero()
                ? hints.acquire(owner, ttl, waiter, patience)
                : store.acquire(owner, ttl, Duration.ZERO);
    }

    /** Takes back the vote of an owner for which no claim had to wait, so that none has to be notified. */
    CompletionStage<Release> discard(Claim owner) {
        return store instanceof LockHints hints ? hints.discard(owner) : store.release(owner);
    }

    /** The waiter needs no notification any more. What is left of it at a silent node is over with its patience. */
    void withdraw(Claim waiter) {
        if (store instanceof LockHints hints) {
            hints.withdraw(waiter);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
