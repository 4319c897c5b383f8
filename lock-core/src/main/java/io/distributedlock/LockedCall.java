package io.distributedlock;

/**
 * Work that gives a result and runs under a lock.
 *
 * @param <T> the result
 * @param <X> what the work may throw
 */
@FunctionalInterface
public interface LockedCall<T extends @org.jspecify.annotations.Nullable Object, X extends Throwable> {

    T call(LockHandle lock) throws X;
}
