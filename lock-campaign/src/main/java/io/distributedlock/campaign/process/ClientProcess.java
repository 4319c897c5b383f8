package io.distributedlock.campaign.process;

import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.workload.WorkerGroup;
import io.distributedlock.testkit.relay.Relay;

/** A client in this JVM that simulates a process: behind a relay of its own, with threads of its own. */
public record ClientProcess(String process, Relay relay, ClientUnderTest underTest, WorkerGroup workers)
        implements Link, AutoCloseable {

    @Override
    public void close() {
        underTest.close();
        relay.close();
    }
}
