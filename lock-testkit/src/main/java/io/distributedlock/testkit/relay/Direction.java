package io.distributedlock.testkit.relay;

/** One of the two ways through a relay. */
public enum Direction {
    /** From the client to the server. */
    REQUESTS,
    /** From the server to the client, pushed messages included. */
    REPLIES
}
