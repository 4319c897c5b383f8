package io.distributedlock.spi;

import io.distributedlock.LockMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock as its store sees it.
 *
 * @param owners of the {@link Claim}s that hold it, at least one; more only if it is shared, and then perhaps not all
 *     of very many. A client that knows an owner can release its claim, so they are kept out of {@link #toString()}
 * @param remaining when the last of their leases ends; null if it never does, because something else than a lock client
 *     wrote it
 * @param waiting how many claims are queued for it; null if that is not known
 */
public record StoredLock(
        LockMode mode,
        List<String> owners,
        @Nullable Duration remaining,
        @Nullable Integer waiting) {

    public StoredLock {
        owners = List.copyOf(owners);
        if (owners.isEmpty()) {
            throw new IllegalArgumentException("A lock without an owner is free");
        }
    }

    /** A lock that one owner holds alone. */
    public StoredLock(String owner, @Nullable Duration remaining, @Nullable Integer waiting) {
        this(LockMode.EXCLUSIVE, List.of(owner), remaining, waiting);
    }

    @Override
    public String toString() {
        return "StoredLock[" + mode + ", " + (remaining == null ? "for ever" : remaining.toMillis() + " ms left") + "]";
    }
}
