package io.distributedlock.spring.method;

/** How the result of a locked method tells that the work behind it is done. */
public enum ResultKind {

    /** The work is done when the method returns. */
    VALUE,
    /** A future of an {@code @Async} method, whose thread is there to wait for it. */
    AWAITED,
    /** A future that calls back. */
    STAGE,
    /** A publisher of one value at most, or a Kotlin {@code suspend} function. */
    SINGLE,
    /** A publisher of many values, or a Kotlin {@code Flow}. */
    STREAM;

    public boolean isFuture() {
        return this == AWAITED || this == STAGE;
    }

    boolean isPublisher() {
        return this == SINGLE || this == STREAM;
    }
}
