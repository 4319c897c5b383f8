package io.distributedlock.benchmarks.peer;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** A value for each acquisition that no other acquisition uses. */
final class RawOwners {

    private final String process = UUID.randomUUID().toString();
    private final AtomicLong next = new AtomicLong();

    String next() {
        return process + next.incrementAndGet();
    }
}
