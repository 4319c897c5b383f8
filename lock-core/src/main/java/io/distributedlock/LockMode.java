package io.distributedlock;

/** Who may hold a lock at the same time. */
public enum LockMode {
    /** Nobody else: for work that changes what the lock protects. */
    EXCLUSIVE,
    /** All who share it, as long as nobody holds it exclusively: for work that only reads what the lock protects. */
    SHARED
}
