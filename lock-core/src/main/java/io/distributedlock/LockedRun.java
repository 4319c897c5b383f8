package io.distributedlock;

/**
 * Work without a result that runs under a lock.
 *
 * @param <X> what the work may throw
 */
@FunctionalInterface
public interface LockedRun<X extends Throwable> {

    void run(LockHandle lock) throws X;
}
