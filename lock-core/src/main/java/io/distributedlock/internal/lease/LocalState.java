package io.distributedlock.internal.lease;

/** State per lock id: a wait queue, or only the lease while the lock is uncontended. */
public interface LocalState {}
