package io.distributedlock.testkit.specification;

/** The steps in the life of a lock. The models in {@code docs/model} are written with the same names. */
public enum Step {
    /** A caller asks for the lock. */
    REQUEST,
    /** The store gives the lock to a request: the hold of that request begins. */
    GRANT,
    /** The store, or the process itself, ends one hold and begins the next in the same instant. */
    HAND_OVER,
    /** The caller receives "held by another owner". */
    REFUSE,
    /** The call ends without a definite answer: lost replies, an interrupt, a kill. */
    UNKNOWN,
    /** The store extends the lease of the hold; it never begins one. */
    RENEW,
    /** The store counts a fencing token for the hold. */
    DRAW_TOKEN,
    /** The holder stops believing and asks the store to end the hold. */
    RELEASE,
    /** The holder is notified that the hold ends, or has ended, without its release. */
    LOSE,
    /** The store ends a hold whose lease is over. */
    EXPIRE,
    /** The client withdraws a request of unknown fate, with what the store may have given it. */
    CLEAN_UP,
    /** The store loses its state, or comes back with an earlier one; or an administrator deletes the lock. */
    FORGET
}
