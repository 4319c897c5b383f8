package io.distributedlock.quorum;

import io.distributedlock.spi.LockStore;

/**
 * One of the independent stores of a quorum.
 *
 * @param name how messages speak of it, for example host and port; never with credentials
 * @param store the store; it must not share a server, a disk or a replication stream with any other node
 */
public record QuorumNode(String name, LockStore store) {

    public QuorumNode {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A quorum node needs a name for messages, such as host and port");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
