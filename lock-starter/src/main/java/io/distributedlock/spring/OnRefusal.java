package io.distributedlock.spring;

/** What a call of a locked method does when another owner holds the lock for the whole wait time. */
public enum OnRefusal {

    /** The call fails with a {@link io.distributedlock.LockNotAcquiredException}. */
    THROW,

    /**
     * The method is not called, and the caller gets {@code null}, or an empty {@link java.util.Optional} where the
     * method returns one. A method that returns a primitive value has no such answer and can't use it.
     */
    SKIP
}
