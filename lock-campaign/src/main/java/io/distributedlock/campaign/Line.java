package io.distributedlock.campaign;

import io.distributedlock.testkit.Relay;

/** The way of one process to the server. */
interface Line {

    /** The process that uses it now. */
    String process();

    Relay relay();
}
