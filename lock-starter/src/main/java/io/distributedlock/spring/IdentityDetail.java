package io.distributedlock.spring;

/** How much is said about the process that holds a lock. */
public enum IdentityDetail {
    /** Application, version, host and process id. */
    FULL,
    /** The application alone. */
    APPLICATION,
    /** Nothing. */
    NONE
}
