package io.distributedlock.spring.transaction;

import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockState;
import java.time.Duration;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Lets a transaction commit only while the locks of its thread are held. It asks at the last moment before the commit;
 * if one of them is lost, or has less left than a margin for the commit itself, the transaction is rolled back and its
 * caller gets a {@link LockLostException}.
 *
 * <p>It asks about the locks of {@link LockContext#current()}, but not about one that was released early on purpose.
 * Not guaranteed: that a process which is paused between the question and its commit does not commit after the end of
 * its lock; only the database can refuse that, by comparing fencing tokens.
 *
 * <p>The starter adds it to every imperative transaction manager that is a bean. Others take it through
 * {@link org.springframework.transaction.ConfigurableTransactionManager#addListener}.
 */
public final class CommitGuard implements TransactionExecutionListener {

    private final Duration margin;

    /** @param margin what has to be left of a lock at the commit: more than a commit takes */
    public CommitGuard(Duration margin) {
        this.margin = margin;
    }

    /** @throws LockLostException if a lock of this thread would not outlast the commit */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        requireLocks();
    }

    void requireLocks() {
        for (LockHandle lock : LockContext.current()) {
            if (lock.state() != LockState.RELEASED) {
                lock.requireHeld(margin);
            }
        }
    }
}
