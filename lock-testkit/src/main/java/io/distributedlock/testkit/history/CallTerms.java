package io.distributedlock.testkit.history;

import java.util.List;

/**
 * What a call for a lock wants: the lock alone or with others, and what other calls belong to it.
 *
 * @param shared whether it may be held together with others who share it
 * @param bond how it belongs to other calls
 * @param group what these calls have in common, unique in the history; empty if there are none
 */
public record CallTerms(boolean shared, Bond bond, String group) {
    /** One lock, held alone. */
    public static final CallTerms EXCLUSIVE = new CallTerms(false, Bond.NONE, "");

    /** One lock, held together with others who share it. */
    public static final CallTerms SHARED = new CallTerms(true, Bond.NONE, "");

    private static final String SEPARATOR = " ";
    private static final int PARTS = 3;

    /** How calls belong together. */
    public enum Bond {
        /** By itself. */
        NONE,
        /** A lock of several keys: all or none of them, lost and released as one. */
        ALL,
        /** Whichever of several locks is free; at most one of them. */
        ANY
    }

    /** As the detail of an event; empty for a lock that is held alone and has no others with it. */
    public String text() {
        String mode = shared ? "SHARED" : "EXCLUSIVE";
        return equals(EXCLUSIVE) ? "" : String.join(SEPARATOR, mode, bond.name(), group);
    }

    public static CallTerms parse(String text) {
        if (text.isEmpty()) {
            return EXCLUSIVE;
        }
        List<String> parts = List.of(text.split(SEPARATOR, PARTS));
        return new CallTerms(parts.get(0).equals("SHARED"), Bond.valueOf(parts.get(1)), parts.get(2));
    }
}
