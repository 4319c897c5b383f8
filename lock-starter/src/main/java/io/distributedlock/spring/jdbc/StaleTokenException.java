package io.distributedlock.spring.jdbc;

import org.springframework.dao.ConcurrencyFailureException;

/**
 * A write came too late: a later holder of the lock has written already, so the writer has lost it without
 * noticing.
 */
public final class StaleTokenException extends ConcurrencyFailureException {

    private static final long serialVersionUID = 1L;

    StaleTokenException(String message) {
        super(message);
    }
}
