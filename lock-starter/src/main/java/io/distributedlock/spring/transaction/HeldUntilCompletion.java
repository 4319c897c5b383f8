package io.distributedlock.spring.transaction;

import io.distributedlock.LockException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps the releases of locks that were taken inside one transaction until that transaction has ended, however it ends.
 */
final class HeldUntilCompletion implements TransactionSynchronization, Executor {

    private static final Log LOG = LogFactory.getLog(HeldUntilCompletion.class);

    private final Deque<Runnable> releases = new ConcurrentLinkedDeque<>();
    private final @Nullable CommitGuard guard;
    private volatile boolean completed;

    private HeldUntilCompletion(@Nullable CommitGuard guard) {
        this.guard = guard;
    }

    static HeldUntilCompletion ofThisTransaction(@Nullable CommitGuard guard) {
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof HeldUntilCompletion held) {
                return held;
            }
        }
        HeldUntilCompletion held = new HeldUntilCompletion(guard);
        TransactionSynchronizationManager.registerSynchronization(held);
        return held;
    }

    /** A transaction that its own work has ended waits for nothing any more. */
    @Override
    public void execute(Runnable release) {
        if (completed) {
            release.run();
            return;
        }
        releases.addLast(release);
        if (completed) {
            releaseAll(STATUS_UNKNOWN);
        }
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (guard != null) {
            guard.requireLocks();
        }
    }

    /** It may come on another thread, from a transaction service that gave up waiting. */
    @Override
    public void afterCompletion(int status) {
        completed = true;
        releaseAll(status);
    }

    private void releaseAll(int status) {
        for (Runnable release = releases.pollLast(); release != null; release = releases.pollLast()) {
            try {
                release.run();
            } catch (RuntimeException failed) {
                report(status, failed);
            }
        }
    }

    /** No exception can reach a caller any more, and the other locks have to be released all the same. */
    private static void report(int status, RuntimeException failed) {
        if (!(failed instanceof LockException)) {
            LOG.error("A lock could not be released after its transaction", failed);
        } else if (status == STATUS_ROLLED_BACK) {
            LOG.debug("After a rollback: " + failed.getMessage());
        } else {
            LOG.warn(failed.getMessage() + ". The transaction inside which it was requested "
                    + (status == STATUS_COMMITTED ? "has committed all the same" : "has ended with an unknown outcome")
                    + "; check what it has written");
        }
    }
}
