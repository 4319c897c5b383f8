package io.distributedlock;

import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a lock, or waits for it, as far as it is known. No client can release a lock with it.
 *
 * @param client tells clients apart: the part that all owners of one client begin with
 * @param identity what the client says about itself; null if it says nothing, or if its entry has expired
 * @param thread the thread of this process that holds the lock; null if it is another process, or no thread
 * @param age how long ago it asked for the lock, so that it has held it for no longer; null if that is not known
 * @param silence for how long the client has given no sign of life; null while it does. A process that was killed is
 *     silent, and so is one that is paused or can't reach the store
 */
public record LockHolder(
        String client,
        @Nullable ClientIdentity identity,
        @Nullable String thread,
        @Nullable Duration age,
        @Nullable Duration silence)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** A clause for messages, such as {@code shop on web-1 (pid 4711), which asked for it 692 ms ago}. */
    @Override
    public String toString() {
        String who = identity == null ? "a client that is not known" : identity.toString();
        if (silence != null) {
            return who + ", which has given no sign of life for " + silence.toSeconds() + " s";
        }
        return age == null ? who : who + ", which asked for it " + age.toMillis() + " ms ago";
    }
}
