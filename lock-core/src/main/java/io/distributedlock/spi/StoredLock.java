package io.distributedlock.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lock as its store sees it.
 *
 * @param owner of the {@link Claim} that holds it: whoever knows it can release the lock, so it is kept out of {@link #toString()}
 * @param remaining when its lease ends; null if it never does, because something else than a lock client wrote it
 * @param waiting how many claims are queued for it; null if that can't be told
 */
public record StoredLock(
        String owner,
        @Nullable Duration remaining,
        @Nullable Integer waiting) {

    @Override
    public String toString() {
        return "StoredLock[" + (remaining == null ? "for ever" : remaining.toMillis() + " ms left") + "]";
    }
}
