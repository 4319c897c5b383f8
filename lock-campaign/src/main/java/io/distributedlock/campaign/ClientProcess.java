package io.distributedlock.campaign;

import io.distributedlock.testkit.Relay;

/** A client in this JVM that simulates a process: behind a relay of its own, with threads of its own. */
record ClientProcess(String process, Relay relay, ClientUnderTest underTest, WorkerGroup workers)
        implements Link, AutoCloseable {

    @Override
    public void close() {
        underTest.close();
        relay.close();
    }
}
