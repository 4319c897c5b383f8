package io.distributedlock;

/** The next look at many leases that are renewed together, and what has been confirmed to all of them at once. It is the handle of their timer. */
interface SharedDeadline extends Timeline.Timer {

    /** Until when all are held at least, which a single one may exceed. */
    Deadline deadline();

    /** When the next look at all of them is due. */
    long dueAt();
}
