package io.distributedlock.benchmarks.contender;

import java.time.Duration;

/**
 * One client of one library, as an application would use it. Calls about the same key must come from the same thread,
 * because some libraries count a lock to the thread that took it.
 */
public interface Locks extends AutoCloseable {

    /** Waits for the lock. Never throws: a failure is an answer. */
    Answer acquire(String key, Duration wait);

    /** Releases what {@link #acquire} was granted. Never throws: a failure is an answer. */
    Answer release(String key);

    /** Where the library keeps this lock in Redis. */
    String redisKey(String key);

    @Override
    void close();
}
