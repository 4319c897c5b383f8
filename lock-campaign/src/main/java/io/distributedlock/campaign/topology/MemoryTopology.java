package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.topology.MemoryLink.State;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One store in memory, to which each client has a link that may fail. */
public final class MemoryTopology implements Topology {

    private final InMemoryLockStore store = new InMemoryLockStore();
    private final List<MemoryLink> links = new ArrayList<>();

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        MemoryLink link = new MemoryLink(store, "p" + links.size());
        links.add(link);
        return link;
    }

    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        return List.of(
                new FaultType(
                        "replies lost",
                        4,
                        random -> disturb(recorder, pacer, random, State.REPLIES_LOST, Effect.SERVER_UNREACHABLE)),
                new FaultType(
                        "requests lost",
                        4,
                        random -> disturb(recorder, pacer, random, State.REQUESTS_LOST, Effect.SERVER_UNREACHABLE)),
                new FaultType(
                        "requests late",
                        4,
                        random -> disturb(
                                recorder,
                                pacer,
                                random,
                                State.REQUESTS_LATE,
                                Effect.SERVER_UNREACHABLE,
                                Effect.REQUESTS_LATE)),
                new FaultType("everything forgotten", 1, random -> forget(recorder)));
    }

    private void disturb(Recorder recorder, Pacer pacer, Random random, State state, Effect... effects) {
        MemoryLink link = links.get(random.nextInt(links.size()));
        try (OpenFault fault = recorder.fault(state.name(), link.process(), effects)) {
            link.enter(state);
            pacer.pause(random, Duration.ofMillis(20), Duration.ofMillis(900));
            link.heal();
        }
    }

    private void forget(Recorder recorder) {
        try (OpenFault fault = recorder.fault("everything forgotten", Effect.STATE_DESTROYED)) {
            store.close();
        }
    }

    @Override
    public Duration recovery() {
        return Duration.ofSeconds(1);
    }

    @Override
    public List<RedisServer> masters() {
        return List.of();
    }

    @Override
    public List<String> leftover() {
        return links.stream().flatMap(link -> link.leftover().stream()).toList();
    }

    @Override
    public void close() {
        store.close();
    }
}
