package io.distributedlock.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A definite answer to one try to acquire. Everything that is not definite is a {@link StoreException}. */
public sealed interface Attempt {

    /**
     * The claim's owner holds the lock.
     *
     * @param token the server's fencing token: larger than every token given out for this id before
     * @param remaining how much of the lease the store still saw when it answered
     * @param fresh true if this very try took the lock; false if an earlier try of the same owner had taken it, whose lease is not refreshed
     */
    record Granted(long token, Duration remaining, boolean fresh) implements Attempt {}

    /**
     * Another owner holds the lock.
     *
     * @param retryAfter when the holder's lease ends, as far as the store knows: an upper bound for sleeping
     * @param news completes when trying again is worth while: with a grant that was made meanwhile, or empty if something changed. It is a
     *     hint: it may never complete, so a timer has to stand beside it
     */
    record Refused(Duration retryAfter, CompletionStage<Optional<Granted>> news) implements Attempt {}
}
