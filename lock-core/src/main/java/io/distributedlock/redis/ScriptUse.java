package io.distributedlock.redis;

/** Whether a lock store calls scripts. */
public enum ScriptUse {
    /** As long as the server runs them. Once it has refused one, locks are kept without, until the next connection. */
    AUTO,
    /** Never: only exclusive locks without fencing tokens, whose waiters poll. */
    NEVER
}
