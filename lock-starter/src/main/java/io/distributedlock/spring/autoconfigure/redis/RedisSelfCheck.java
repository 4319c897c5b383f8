package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.redis.RedisDiagnosis;
import io.distributedlock.spi.LockStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks once, as soon as Redis can be reached, whether it is a good place for locks, and warns of what is wrong. The
 * start of the application does not wait for it, and a Redis that is away is asked when it is back.
 */
final class RedisSelfCheck {

    private static final Log LOG = LogFactory.getLog(RedisSelfCheck.class);

    private final AtomicBoolean begun = new AtomicBoolean();
    private final LockStore store;
    private final RedisDiagnosis diagnosis;
    private final String where;

    /** @param where what each warning begins with, to tell servers apart */
    RedisSelfCheck(LockStore store, RedisDiagnosis diagnosis, String where) {
        this.store = store;
        this.diagnosis = diagnosis;
        this.where = where;
    }

    /** The same test, which runs as soon as it can. */
    RedisSelfCheck begin() {
        store.onReachable(this::runOnce);
        return this;
    }

    private void runOnce() {
        if (begun.compareAndSet(false, true)) {
            diagnosis.findings().whenCompleteAsync(this::report);
        }
    }

    private void report(@Nullable List<String> findings, @Nullable Throwable failure) {
        if (findings == null) {
            LOG.debug(
                    "Redis could not be asked whether it is fit for locks; it will be at the next connection", failure);
            begun.set(false);
        } else {
            findings.forEach(finding -> LOG.warn(where + finding));
        }
    }
}
