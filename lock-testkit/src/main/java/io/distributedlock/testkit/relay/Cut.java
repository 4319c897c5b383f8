package io.distributedlock.testkit.relay;

/** How a relay ends a connection. */
public enum Cut {
    /** An orderly end: the other side reads all that was delivered and then the end of the stream. */
    FIN,
    /** A reset: the other side's next read or write fails. */
    RST
}
