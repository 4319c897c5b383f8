package io.distributedlock.spi;

import org.jspecify.annotations.Nullable;

/** A store call that ended without a definite answer, with what is known about its effect. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is known about the effect of a call that failed. */
    public enum Effect {
        /** The store answered that it did not do it. */
        REFUSED,
        /** The call never left this process. */
        NOT_SENT,
        /** The call may have been executed, may be executed later, or never. */
        UNKNOWN
    }

    private final Effect effect;
    private final boolean denied;

    public StoreException(Effect effect, String message, @Nullable Throwable cause) {
        this(effect, false, message, cause);
    }

    private StoreException(Effect effect, boolean denied, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
        this.denied = denied;
    }

    /** The store refuses this user or its password, or the user lacks a right: to ask again is of no use. */
    public static StoreException denied(String message, @Nullable Throwable cause) {
        return new StoreException(Effect.REFUSED, true, message, cause);
    }

    public static StoreException refused(String message, @Nullable Throwable cause) {
        return new StoreException(Effect.REFUSED, message, cause);
    }

    public static StoreException notSent(String message, @Nullable Throwable cause) {
        return new StoreException(Effect.NOT_SENT, message, cause);
    }

    public static StoreException unknown(String message, @Nullable Throwable cause) {
        return new StoreException(Effect.UNKNOWN, message, cause);
    }

    /** Whether the same call would be refused again until an administrator has mended something. */
    public boolean isDenied() {
        return denied;
    }

    public Effect effect() {
        return effect;
    }
}
