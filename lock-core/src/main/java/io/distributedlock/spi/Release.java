package io.distributedlock.spi;

/**
 * A definite answer to a release.
 *
 * @param held true if the owner still held the lock and this release freed it
 * @param settled true if nothing that was sent earlier for this claim can still be executed. False means that a late
 *     command may yet write the key again, so the release has to be repeated until that is impossible
 */
public record Release(boolean held, boolean settled) {}
