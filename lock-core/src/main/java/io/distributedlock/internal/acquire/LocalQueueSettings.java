package io.distributedlock.internal.acquire;

/**
 * How callers of one process stand in line.
 *
 * @param barging whether a thread that runs may take a lock in front of one that is being woken
 * @param maxPerLock how many callers may wait for one lock
 * @param maxInAll how many callers may wait for all locks of a client together
 */
public record LocalQueueSettings(boolean barging, int maxPerLock, int maxInAll) {}
