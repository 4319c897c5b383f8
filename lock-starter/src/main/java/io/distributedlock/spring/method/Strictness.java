package io.distributedlock.spring.method;

import io.distributedlock.spring.LockConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** What happens to an annotation that can be read, but locks less than it seems to. */
public enum Strictness {

    /** It stops the start of the application. */
    REFUSE,
    /** It is logged. */
    WARN;

    private static final String WAY_OUT =
            ". To start all the same with a warning, set distributed-lock.aspect.strict=false";

    private static final Log LOG = LogFactory.getLog(Strictness.class);

    /** @throws LockConfigurationException if it is refused */
    public void report(LockConfigurationException mistake) {
        if (this == REFUSE) {
            throw new LockConfigurationException(mistake.problem(), mistake.advice() + WAY_OUT, mistake.getCause());
        }
        LOG.warn(mistake.getMessage());
    }
}
