package io.distributedlock.spring.transaction;

/**
 * What to do about a lock that is requested inside an open transaction. Released when its call ends, it would let the
 * next holder read what was there before this transaction's commit.
 */
public enum InsideTransaction {
    /**
     * The lock is held until the transaction has ended. The first such request for each lock name is reported as a
     * warning.
     */
    RELEASE_AFTER_COMPLETION,
    /** The lock is released when its call ends. The first such request for each lock name is reported as a warning. */
    WARN,
    /**
     * The request fails with an {@link org.springframework.transaction.IllegalTransactionStateException}, and no lock
     * is taken.
     */
    FAIL
}
