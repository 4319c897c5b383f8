package io.distributedlock.campaign;

import io.distributedlock.testkit.Relay;

/** A client in this JVM that stands for a process: behind a relay of its own, with threads of its own. */
record Seat(String process, Relay relay, Subject subject, Party party) implements Line, AutoCloseable {

    @Override
    public void close() {
        subject.close();
        relay.close();
    }
}
