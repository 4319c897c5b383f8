package io.distributedlock;

/** Is notified of what happens to locks. */
@FunctionalInterface
public interface LockListener {

    /**
     * Called on a thread of the lock client, in order for each lock. It should return soon, because it delays later
     * events; what it throws is logged and has no effect on any lock.
     */
    void on(LockEvent event);
}
