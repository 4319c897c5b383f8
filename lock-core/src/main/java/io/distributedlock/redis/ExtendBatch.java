package io.distributedlock.redis;

import io.distributedlock.spi.BatchExtensionCallback;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of a script that extends leases, and the callback that takes the answer for each. */
record ExtendBatch(ExtendScriptCall script, BatchExtensionCallback answers) {

    private static final System.Logger LOG = System.getLogger(ExtendBatch.class.getName());

    int size() {
        return script.size();
    }

    /**
     * Reports how the extension of the {@code i}-th lock of this script ended. A callback that fails does not keep the
     * other answers from theirs.
     */
    void complete(int i, @Nullable Duration left, @Nullable StoreException failure) {
        try {
            answers.ended(script.places().get(i), left, failure);
        } catch (RuntimeException unexpected) {
            LOG.log(System.Logger.Level.WARNING, "The answer about a lock could not be taken in", unexpected);
        }
    }

    /** Each of its locks is held for the time that was asked for. */
    void succeed() {
        if (!isTakenAtOnce()) {
            for (int i = 0; i < size(); i++) {
                complete(i, script.ttl(), null);
            }
        }
    }

    private boolean isTakenAtOnce() {
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
            complete(i, null, failure);
        }
    }
}
