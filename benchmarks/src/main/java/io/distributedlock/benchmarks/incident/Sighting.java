package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.Optional;

/**
 * What was seen in one run of one scene.
 *
 * @param told what the caller was told; empty if it was dead by then
 * @param untrue whether it was told something about the lock that was not so
 * @param next when a second client got the lock, if it did
 * @param again what the first client got when it tried again, if the key was still there
 */
record Sighting(Optional<Told> told, boolean untrue, Stay stay, Optional<Duration> next, Again again) {

    /** An answer, and how long it took. */
    record Told(Answer answer, Duration after) {

        /** The same, unless the release of what was granted failed. */
        Told andThen(Answer release) {
            if (release.claim() == Claim.RELEASED) {
                return this;
            }
            return new Told(new Answer(release.claim(), answer.words() + ", then " + release.words()), after);
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
