package io.distributedlock.spi;

import io.distributedlock.LockMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What claims a store takes, and how long it waits for answers.
 *
 * @param modes in which locks can be claimed
 * @param longestLease that a claim may ask for; empty if the store has no reason to limit it
 * @param commandTimeout how long the store's connections wait for the answer to one command; a client waits as long
 *     unless it has a setting of its own. Empty if the store has no connections
 */
public record StoreLimits(Set<LockMode> modes, Optional<Duration> longestLease, Optional<Duration> commandTimeout) {

    /** Claims of every mode, with leases of any length. */
    public static final StoreLimits NONE =
            new StoreLimits(EnumSet.allOf(LockMode.class), Optional.empty(), Optional.empty());

    public StoreLimits {
        modes = Set.copyOf(modes);
    }
}
