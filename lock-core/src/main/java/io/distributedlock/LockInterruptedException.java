package io.distributedlock;

/**
 * The thread was interrupted while it waited for a lock. Its interrupt flag is set again, and the claim has been
 * withdrawn.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For the tests of applications; the library throws it itself. */
    public LockInterruptedException(LockId id) {
        super(id, "Interrupted while waiting for lock '%s'; the claim is withdrawn".formatted(id.display()), null);
    }
}
