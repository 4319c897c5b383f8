package io.distributedlock.campaign.process;

import io.distributedlock.testkit.relay.Relay;

/** The link between one process and the server. */
public interface Link {

    /** The process that uses it now. */
    String process();

    Relay relay();
}
