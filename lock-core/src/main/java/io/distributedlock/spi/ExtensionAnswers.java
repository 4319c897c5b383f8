package io.distributedlock.spi;

import org.jspecify.annotations.Nullable;

/** Is told how each of several extensions ended. */
@FunctionalInterface
public interface ExtensionAnswers {

    /**
     * One extension has ended: with an answer, or with a failure.
     *
     * @param place of its claim in the list that the extensions were asked for with
     * @param held whether the owner holds the lock, as in {@link LockStore#extend}; null if that failed
     * @param failure why there is no answer; null if there is one
     */
    void ended(int place, @Nullable Boolean held, @Nullable Throwable failure);

    /**
     * So many extensions have ended at once, each with the answer that its owner holds the lock. Gives false if {@link #ended} has to be told of each
     * of them.
     */
    default boolean allHeld(int count) {
        return false;
    }
}
