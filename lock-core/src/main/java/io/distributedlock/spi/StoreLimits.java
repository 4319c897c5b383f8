package io.distributedlock.spi;

import io.distributedlock.LockMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What claims a store takes.
 *
 * @param modes in which locks can be claimed
 * @param longestLease that a claim may ask for; empty if the store has no reason to limit it
 */
public record StoreLimits(Set<LockMode> modes, Optional<Duration> longestLease) {

    /** Claims of every mode, with leases of any length. */
    public static final StoreLimits NONE = new StoreLimits(EnumSet.allOf(LockMode.class), Optional.empty());

    public StoreLimits {
        modes = Set.copyOf(modes);
    }
}
