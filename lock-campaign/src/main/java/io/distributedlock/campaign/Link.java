package io.distributedlock.campaign;

import io.distributedlock.testkit.Relay;

/** The link between one process and the server. */
interface Link {

    /** The process that uses it now. */
    String process();

    Relay relay();
}
