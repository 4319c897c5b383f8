package io.distributedlock.internal.support;

import org.jspecify.annotations.Nullable;

/**
 * Writes warnings to the platform's log. That is looked for when there is something to tell, because the search delays
 * the start of an application.
 */
public final class Warnings {

    private Warnings() {}

    public static void write(Class<?> source, String text) {
        write(source, text, null);
    }

    public static void write(Class<?> source, String text, @Nullable Throwable cause) {
        System.getLogger(source.getName()).log(System.Logger.Level.WARNING, text, cause);
    }
}
