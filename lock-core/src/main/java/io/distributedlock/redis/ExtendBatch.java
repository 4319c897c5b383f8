package io.distributedlock.redis;

import io.distributedlock.spi.BatchExtensionCallback;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of a script that extends leases, and who is to be told of each. */
record ExtendBatch(ExtendScriptCall script, BatchExtensionCallback answers) {

    private static final System.Logger LOG = System.getLogger(ExtendBatch.class.getName());

    int size() {
        return script.size();
    }

    /**
     * Tells the caller how the extension of the {@code i}-th lock of this script ended. Whoever fails when it is told keeps its answer from nobody
     * else.
     */
    void tell(int i, @Nullable Duration left, @Nullable StoreException failure) {
        try {
            answers.ended(script.places().applyAsInt(i), left, failure);
        } catch (RuntimeException unexpected) {
            LOG.log(System.Logger.Level.WARNING, "The answer about a lock could not be taken in", unexpected);
        }
    }

    /** Each of its locks is held for the time that was asked for. */
    void succeed() {
        if (!isToldAtOnce()) {
            for (int i = 0; i < size(); i++) {
                tell(i, script.ttl(), null);
            }
        }
    }

    private boolean isToldAtOnce() {
        try {
            return answers.allHeld(size());
        } catch (RuntimeException unexpected) {
            LOG.log(System.Logger.Level.WARNING, "The answer about some locks could not be taken in", unexpected);
            return false;
        }
    }

    /** What happened to the script happened to each of its locks. */
    void fail(StoreException failure) {
        for (int i = 0; i < size(); i++) {
            tell(i, null, failure);
        }
    }
}
