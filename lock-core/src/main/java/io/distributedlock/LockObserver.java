package io.distributedlock;

import org.jspecify.annotations.Nullable;

/**
 * Stands around the calls that a {@link LockTemplate} runs under a lock: for tracing, for example. A call that is
 * covered by a lock of its thread takes none, and is not observed.
 */
@FunctionalInterface
public interface LockObserver {

    /** Observes nothing. */
    LockObserver NONE = request -> Observed.NOTHING;

    /**
     * A call is about to request its lock, on the calling thread. What is thrown here reaches the caller, and no lock
     * is requested.
     */
    Observed begin(LockRequest request);

    /** One observed call. */
    interface Observed {

        /** A call that is not observed. */
        Observed NOTHING = new Observed() {
            @Override
            public Scope enter() {
                return () -> {};
            }

            @Override
            public void end(@Nullable Throwable failure) {}
        };

        /** The calling thread begins to work for this call; it stops with the end of the scope. */
        Scope enter();

        /**
         * The call has ended; called once.
         *
         * @param failure what the caller gets instead of a result: an exception of its own, or a {@link LockException};
         *     null after success. For {@link LockTemplate#tryExecute}, also the {@link LockNotAcquiredException} that
         *     its caller does not see
         */
        void end(@Nullable Throwable failure);
    }

    /** The time in which a thread works for a call. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        @Override
        void close();
    }
}
