package io.distributedlock.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the result of each of several extensions. */
@FunctionalInterface
public interface BatchExtensionCallback {

    /**
     * One extension has ended: with an answer, or with a failure.
     *
     * @param place of its claim in the list that the extensions were asked for with
     * @param left how long the lease lasts at least, as in {@link LockStore#extend}; null if that failed
     * @param failure why there is no answer; null if there is one
     */
    void ended(int place, @Nullable Duration left, @Nullable Throwable failure);

    /**
     * So many extensions have ended together, each with the answer that its lease lasts for the time that was asked
     * for. Returns false if {@link #ended} has to be called for each of them.
     */
    default boolean allHeld(int count) {
        return false;
    }
}
