package io.distributedlock.spring.actuate;

import io.distributedlock.LockReport;
import io.distributedlock.LockState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lock that this application holds.
 *
 * @param waitersHere how many of the listed requests wait for it in this application
 */
public record HeldHere(
        String id,
        String name,
        String owner,
        LockState state,
        Duration age,
        Duration remaining,
        @Nullable String thread,
        long waitersHere) {

    HeldHere(LockReport.Held lock, long waitersHere) {
        this(
                lock.id(),
                lock.name(),
                lock.owner(),
                lock.state(),
                lock.age(),
                lock.remaining(),
                lock.thread(),
                waitersHere);
    }
}
