package io.distributedlock.testkit.history;

import java.util.Set;

/**
 * A fault that was injected.
 *
 * @param name what it was, for messages
 * @param effects what it excuses
 * @param process the client process that it concerned, or empty for all
 * @param begin before the injection, {@link System#nanoTime()}
 * @param end after it was taken back and the server could be used again; equal to begin for a momentary fault
 */
public record Fault(String name, Set<Effect> effects, String process, long begin, long end) {
    /** Copies the effects. */
    public Fault {
        effects = Set.copyOf(effects);
    }

    public boolean concerns(String someProcess) {
        return process.isEmpty() || process.equals(someProcess);
    }
}
