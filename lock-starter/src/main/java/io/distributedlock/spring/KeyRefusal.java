package io.distributedlock.spring;

import org.jspecify.annotations.Nullable;

/** Says of which key and which method a call has no usable value. */
record KeyRefusal(String text, LockedMethod method) {

    /** @param problem begins with a verb */
    IllegalArgumentException because(String problem) {
        return because(problem, null);
    }

    IllegalArgumentException because(String problem, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "The key \"" + text + "\" of " + method + " " + problem
                        + ". The method was not called, and no lock was taken",
                cause);
    }
}
