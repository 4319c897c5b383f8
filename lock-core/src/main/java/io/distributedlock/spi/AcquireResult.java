package io.distributedlock.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A definite answer to one try to acquire. Everything that is not definite is a {@link StoreException}. */
public sealed interface AcquireResult {

    /**
     * The claim's owner holds the lock.
     *
     * @param token the server's fencing token: larger than every token given out for this id before; zero if the claim
     *     did not want one and the store draws it {@linkplain OnDemandTokens on demand}
     * @param remaining how long the lock is promised at least, counted from the moment at which the try was sent that
     *     this answers; for a grant that {@linkplain Refused#grantNotification() a notification} brings, from the
     *     moment at which the refused try was sent
     * @param fresh true if this very try took the lock; false if an earlier try of the same owner had taken it, whose
     *     lease is not refreshed
     */
    record Granted(long token, Duration remaining, boolean fresh) implements AcquireResult {}

    /**
     * Another owner holds the lock.
     *
     * @param retryAfter when the holder's lease ends, as far as the store knows: an upper bound for sleeping
     * @param queued true if the claim waits in the store's queue now, so that the store gives it the lock when its turn
     *     comes, or notifies it that it is free. Trying again in between is needed only where no notification comes:
     *     after an expiry, or after a grant to a client that does not react. False means that only trying again can
     *     help
     * @param grantNotification completes with a grant to the queued claim, at most once, for which no other try is
     *     needed; or empty if trying again is worth while. It is a hint: it may never complete, so a timer has to stand
     *     beside it
     */
    record Refused(Duration retryAfter, boolean queued, CompletionStage<Optional<Granted>> grantNotification)
            implements AcquireResult {}
}
