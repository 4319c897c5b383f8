package io.distributedlock.campaign;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.OwnerHash;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Learns by which owner a call stands in Redis: the first command of a call is sent on the calling thread. */
final class OwnerTap {

    private final ThreadLocal<String> owner = ThreadLocal.withInitial(() -> "");

    /** The store, tapped. Of several taps of a chain the innermost counts, because it sees what is really sent. */
    LockStore into(LockStore store) {
        return new ForwardingStore(store) {
            @Override
            public CompletionStage<Attempt> acquire(Claim claim, Duration ttl, Duration patience) {
                owner.set(claim.owner());
                return super.acquire(claim, ttl, patience);
            }
        };
    }

    /** A call of this thread begins. */
    void begin() {
        owner.remove();
    }

    /** The hash of the owner that this thread's call has sent; empty if it has sent none. */
    String hash() {
        return OwnerHash.of(owner.get());
    }
}
