package io.distributedlock.internal.lease;

import io.distributedlock.internal.time.Deadline;
import io.distributedlock.internal.time.Scheduler;

/**
 * The next look at many leases that are renewed together, and what has been confirmed to all of them at once. It is the
 * handle of their timer.
 */
public interface SharedDeadline extends Scheduler.Timer {

    /** Until when all are held at least, which a single one may exceed. */
    Deadline deadline();

    /** When the next look at all of them is due. */
    long dueAt();
}
