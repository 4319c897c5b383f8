package io.distributedlock.benchmarks.peer;

/** A lock that was granted. */
public interface Hold {

    /**
     * Gives the lock back, as soon as the library says so; to be called by the thread that was granted it.
     *
     * @throws RuntimeException if the library says that it was not held any more
     */
    void release();
}
