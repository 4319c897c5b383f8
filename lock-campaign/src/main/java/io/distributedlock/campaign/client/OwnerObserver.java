package io.distributedlock.campaign.client;

import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.BatchExtension;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.test.store.ForwardingLockStore;
import io.distributedlock.testkit.history.OwnerHash;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learns by which owner a call is known in the store, because the library does not publish it.
 *
 * <p>The owner of a granted lock is that of the grant with its fencing token. The owner of a call without a lock is
 * known if it was the only exclusive call of this client for its key: then its first command leaves on the calling
 * thread. Otherwise the call may wait in the client's local queue. Later its thread may send commands for other calls,
 * such as the next in line when it is interrupted.
 */
public final class OwnerObserver {

    /** The lowest bits of a fencing token count the hand-overs inside a process; the others are the store's token. */
    private static final int HANDOVER_BITS = 10;

    private static final int LATEST_GRANTS = 10_000;

    private final Map<String, Integer> exclusiveCalls = new ConcurrentHashMap<>();
    private final ThreadLocal<Call> current = ThreadLocal.withInitial(() -> new Call(false, false));
    private final Map<Grant, String> owners = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Grant, String> eldest) {
            return size() > LATEST_GRANTS;
        }
    };

    private record Grant(String id, long token) {}

    /** The present call of a thread, and the owner that it has sent. */
    private static final class Call {

        private final boolean shared;
        private final boolean alone;
        private String owner = "";

        private Call(boolean shared, boolean alone) {
            this.shared = shared;
            this.alone = alone;
        }

        private boolean sends(Claim claim) {
            return claim.isShared() ? shared : alone;
        }
    }

    /**
     * The store, tapped. Of several taps of a chain the innermost one sees which owner is sent, and the outermost one
     * what is granted to it.
     */
    LockStore into(LockStore store) {
        return new ObservedStore(store);
    }

    private final class ObservedStore extends ForwardingLockStore implements BatchExtension {

        ObservedStore(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            Call call = current.get();
            if (call.sends(claim) && call.owner.isEmpty()) {
                call.owner = claim.owner();
            }
            return super.acquire(claim, ttl, patience)
                    .thenApply(answer -> ChangedGrant.in(answer, grant -> {
                        remember(new Grant(claim.id(), grant.token()), claim.owner());
                        return grant;
                    }));
        }

        @Override
        public CompletionStage<Long> drawToken(Claim claim) {
            return super.drawToken(claim).thenApply(token -> {
                remember(new Grant(claim.id(), token), claim.owner());
                return token;
            });
        }

        @Override
        public PreparedBatchExtension prepareExtension(List<Claim> claims, long token, Duration ttl) {
            return PreparedBatchExtension.of(delegate(), claims, token, ttl);
        }
    }

    /** Forgets all grants, so that what this observer keeps is not taken for what its client keeps. */
    public void forget() {
        synchronized (owners) {
            owners.clear();
        }
    }

    private void remember(Grant grant, String owner) {
        synchronized (owners) {
            owners.put(grant, owner);
        }
    }

    /** A call of this thread begins. */
    public void begin(List<String> keys, boolean shared) {
        boolean alone = !shared;
        if (!shared) {
            for (String key : keys) {
                alone &= exclusiveCalls.merge(key, 1, Integer::sum) == 1;
            }
        }
        current.set(new Call(shared, alone));
    }

    /** The call has ended, and its locks are released. */
    public void end(List<String> keys, boolean shared) {
        current.remove();
        if (!shared) {
            keys.forEach(key -> exclusiveCalls.computeIfPresent(key, (each, calls) -> calls == 1 ? null : calls - 1));
        }
    }

    /** The hash of the owner of this thread's call; empty if it is not known. */
    public String hash() {
        return OwnerHash.of(current.get().owner);
    }

    /** The hash of the owner by which this thread's call, for one lock, has got it. */
    public String hash(LockHandle lock, boolean fenced) {
        String sent = hash();
        return sent.isEmpty() ? hashOfGrant(lock, fenced) : sent;
    }

    /** The hash of the owner to which this lock is granted; empty without a token, by which its grant is known. */
    public String hashOfGrant(LockHandle lock, boolean fenced) {
        if (!fenced) {
            return "";
        }
        Grant grant = new Grant(LockId.of(lock.name(), lock.key()).encoded(), lock.fencingToken() >> HANDOVER_BITS);
        synchronized (owners) {
            String owner = owners.get(grant);
            if (owner == null) {
                throw new IllegalStateException("no owner is known for " + grant);
            }
            return OwnerHash.of(owner);
        }
    }
}
