package io.distributedlock;

import java.time.Duration;

/**
 * The settings of a lease that follows the hold times of its lock name.
 *
 * <p>It is {@code percentile} of the last 100 holds times {@code factor}, rounded up to a step (ten of them for each
 * power of ten). The longer the line that requests have to stand in, the nearer the factor comes to 1, so that a holder
 * that crashed blocks fewer for less. But it never is less than a quarter above the longest of these holds, nor above
 * the longest that is going on in this process. Until 10 holds have been seen, and for more than 1,000 lock names, it
 * is {@code max}.
 *
 * <p>So a longer hold counts from its first end on, or while it runs; a shorter one after 100 holds.
 *
 * @param min the shortest lease
 * @param max the longest lease; a hold that takes longer needs renewal
 * @param percentile which part of the holds ends in time without the factor, above 0 and at most 1
 * @param factor how much room they get, from 1.25 to 100
 */
public record AdaptiveTtl(Duration min, Duration max, double percentile, double factor) {

    /**
     * The least {@code factor}: a lease is safe for less than its length, and the next hold may take a little longer.
     */
    public static final double MIN_FACTOR = 1.25;

    /** From 1 s to 2 min, three times what all but one in a hundred holds take. */
    public static final AdaptiveTtl DEFAULTS = new AdaptiveTtl(Duration.ofSeconds(1), Duration.ofMinutes(2), 0.99, 3);

    /**
     * @throws IllegalArgumentException if the limits are no leases or the wrong way round, or a figure is out of range
     */
    public AdaptiveTtl {
        LockOptions.requireTtl(min);
        LockOptions.requireTtl(max);
        if (min.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "An adaptive ttl must have a min of at most its max, but they are " + min + " and " + max);
        }
        if (!(percentile > 0 && percentile <= 1)) {
            throw new IllegalArgumentException(
                    "The percentile of an adaptive ttl must be above 0 and at most 1, such as 0.99, but is "
                            + percentile);
        }
        if (!(factor >= MIN_FACTOR && factor <= 100)) {
            throw new IllegalArgumentException(
                    "The factor of an adaptive ttl must be from 1.25 to 100, such as 3, but is " + factor);
        }
    }
}
