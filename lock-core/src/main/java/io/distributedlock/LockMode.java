package io.distributedlock;

/** Who may hold a lock at the same time. */
public enum LockMode {
    /** One holder at a time: for work that changes what the lock protects. */
    EXCLUSIVE,
    /** All who share it, as long as no owner holds it exclusively: for work that only reads what the lock protects. */
    SHARED
}
