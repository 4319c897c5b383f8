package io.distributedlock;

/** By which owner a lock stands in the store, for tests that compare histories with what is there. The library tells nobody. */
public final class OwnerOf {

    private OwnerOf() {}

    /** The owner of the claim by which this process has the lock; callers that passed it on to each other have the same. */
    public static String lock(LockHandle handle) {
        return ((HeldLock) handle).hold().tenure().claim().owner();
    }
}
