package io.distributedlock.spring.transaction;

import io.distributedlock.LockRequest;
import io.distributedlock.ReleasePolicy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Notices locks that are requested inside an open transaction, and by default keeps them until that transaction has
 * ended.
 *
 * <p>It sees the imperative transactions of the calling thread whose manager has synchronization switched on, as all
 * managers have by default.
 */
public final class TransactionReleasePolicy implements ReleasePolicy {

    private static final Log LOG = LogFactory.getLog(TransactionReleasePolicy.class);
    private static final int MAX_REPORTED = 1_000;

    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final InsideTransaction inside;
    private final @Nullable CommitGuard guard;

    /** @param guard is asked at the commit of transactions whose manager does not know it; null for no such question */
    public TransactionReleasePolicy(InsideTransaction inside, @Nullable CommitGuard guard) {
        this.inside = inside;
        this.guard = guard;
    }

    @Override
    public Executor releaserOf(LockRequest request) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return AT_RETURN.releaserOf(request);
        }
        return switch (inside) {
            case RELEASE_AFTER_COMPLETION -> {
                report(request, "It is held until that transaction has ended, so others wait for it longer");
                yield HeldUntilCompletion.ofThisTransaction(guard);
            }
            case WARN -> {
                report(request, "It is released before that transaction commits, so the next holder may read old data");
                yield AT_RETURN.releaserOf(request);
            }
            case FAIL ->
                throw new IllegalTransactionStateException(noticed(request) + ". No lock was taken. " + advice());
        };
    }

    private void report(LockRequest request, String consequence) {
        if (reported.size() < MAX_REPORTED && reported.add(request.name())) {
            LOG.warn(noticed(request) + ". " + consequence
                    + "; and what the transaction has read before may be out of date. " + advice()
                    + ". This is said once for each lock name");
        }
    }

    private static String noticed(LockRequest request) {
        String transaction = TransactionSynchronizationManager.getCurrentTransactionName();
        return "Lock '" + request.name() + "' was requested inside an open transaction"
                + (transaction == null ? "" : " (" + transaction + ")");
    }

    private static String advice() {
        return "Take the lock first and begin the transaction under it: @DistributedLock and @Transactional on one"
                + " method do so";
    }
}
