package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Leftovers;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;

/** Several servers that keep locks together, and what can befall them. */
interface Topology extends AutoCloseable {

    /** The name in the report. */
    String name();

    /** A store with connections of its own. */
    LockStore open(Duration commandTimeout);

    /** The faults that it can have. Each is taken back when its injection returns. */
    List<FaultType> faults(Recorder recorder, Pacer pacer);

    /** How long a free lock may be refused, because a promoted server remembers a lock that had been released. */
    Duration recovery();

    /** The servers that take writes now. */
    List<RedisServer> masters();

    /** All servers that clients may be connected to. */
    default List<RedisServer> servers() {
        return masters();
    }

    /**
     * The keys of locks that are left, without the fence counters, which stay by design, and without queues: one that a
     * new master remembers runs out by itself within a minute.
     */
    default List<String> leftover() {
        return masters().stream()
                .flatMap(master -> Leftovers.lockKeys(master).stream())
                .filter(key -> !key.startsWith("lock:fence:") && !key.endsWith(":q"))
                .toList();
    }

    @Override
    void close();
}
