package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.Optional;

/**
 * What was seen in one run of one case.
 *
 * @param outcome what the caller was told; empty if it was dead by then
 * @param untrue whether it was told something about the lock that was not so
 * @param next when a second client got the lock, if it did
 * @param again what the first client got when it tried again, if the key was still there
 */
record RunResult(
        Optional<CallOutcome> outcome, boolean untrue, OrphanLifetime lifetime, Optional<Duration> next, Again again) {

    /** An answer, and how long it took. */
    record CallOutcome(Answer answer, Duration after) {

        /** The same, unless the release of what was granted failed. */
        CallOutcome andThen(Answer release) {
            if (release.claim() == Claim.RELEASED) {
                return this;
            }
            return new CallOutcome(new Answer(release.claim(), answer.words() + ", then " + release.words()), after);
        }
    }

    /** How a second try of the first client ended. */
    enum Again {
        NOT_TRIED,
        REFUSED,
        GRANTED,
        /** Granted, and the key was still there after the release. */
        GRANTED_FOR_EVER
    }
}
