package io.distributedlock.internal.store;

import io.distributedlock.spi.Claim;
import java.time.Duration;

/**
 * A claim that must not hold its lock, although the store may have written it or may still do so.
 *
 * @param expiresAt when everything that was written for it has expired by itself
 * @param linger for how long after the store's first answer to look again for commands that are executed late
 * @param pace how soon the first of these looks comes
 */
public record Cleanup(Claim claim, long expiresAt, Duration linger, Duration pace) {}
