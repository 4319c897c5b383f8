package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.test.store.ForwardingLockStore;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** One server with stores that keep an entry of a map, and a key of the server, every 10,000 releases. */
final class LeakyTopology implements Topology {

    private static final long RELEASES_FOR_ONE = 10_000;

    private final SingleTopology inner = new SingleTopology();
    private final Map<Claim, Long> kept = new ConcurrentHashMap<>();
    private final AtomicLong releases = new AtomicLong();

    @Override
    public String name() {
        return "leaky";
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        return new ForwardingLockStore(inner.open(commandTimeout)) {
            @Override
            public CompletionStage<Release> release(Claim claim) {
                long number = releases.incrementAndGet();
                if (number % RELEASES_FOR_ONE == 0) {
                    kept.put(claim, number);
                    inner.masters().get(0).command("SET", "kept:" + number, "");
                }
                return super.release(claim);
            }
        };
    }

    /** Those that destroy no keys, and leave time for many cycles. */
    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        return inner.faults(recorder, pacer).stream()
                .filter(fault -> fault.name().equals("scripts flushed"))
                .toList();
    }

    @Override
    public Duration recovery() {
        return inner.recovery();
    }

    @Override
    public List<RedisServer> masters() {
        return inner.masters();
    }

    int leaked() {
        return kept.size();
    }

    @Override
    public void close() {
        inner.close();
    }
}
