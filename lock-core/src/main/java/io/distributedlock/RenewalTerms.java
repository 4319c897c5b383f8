package io.distributedlock;

import java.time.Duration;

/**
 * What renewals must have in common to be asked for together.
 *
 * @param ttl how long the lease should last from now on
 * @param limit how long the answer is waited for
 */
record RenewalTerms(Duration ttl, Duration limit) {}
