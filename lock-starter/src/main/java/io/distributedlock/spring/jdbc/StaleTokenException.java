package io.distributedlock.spring.jdbc;

import org.springframework.dao.ConcurrencyFailureException;

/**
 * A write came too late: somebody who got the lock afterwards has written already, so the writer has lost it without
 * noticing.
 */
public final class StaleTokenException extends ConcurrencyFailureException {

    private static final long serialVersionUID = 1L;

    StaleTokenException(String message) {
        super(message);
    }
}
