package io.distributedlock.testkit.specification;

import io.distributedlock.testkit.history.Event;
import java.util.List;

/**
 * Something recorded that must have been true of the lock at one instant at least, {@code begin} and {@code end}
 * included.
 */
final class Question {
    final long begin;
    final long end;
    final String message;
    final List<Event> events;
    private final Answer answer;

    /** Whether it is true of a lock at an instant at which these holds may last. */
    @FunctionalInterface
    interface Answer {
        boolean isYes(LockState lock, long at, List<StoredHold> open);
    }

    /**
     * @param message what is wrong if it never was true
     * @param events what was recorded of it
     */
    Question(long begin, long end, Answer answer, String message, List<Event> events) {
        this.begin = begin;
        this.end = end;
        this.answer = answer;
        this.message = message;
        this.events = events;
    }

    /** Spreads questions where hash codes of objects are all the same, as they are where runs have to repeat. */
    @Override
    public int hashCode() {
        return Long.hashCode(begin * 31 + end);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    boolean isAnsweredBy(LockState lock, long at, List<StoredHold> open) {
        return answer.isYes(lock, at, open);
    }
}
