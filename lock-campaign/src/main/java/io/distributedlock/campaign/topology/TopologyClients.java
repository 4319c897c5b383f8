package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.client.BusyExecutor;
import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.client.Timing;
import java.util.ArrayList;
import java.util.List;

/** The clients of a topology, each with connections of its own, as if it had a process of its own. */
final class TopologyClients implements AutoCloseable {

    static final Timing TIMING = Timing.ofMillis(300, 2_000);

    private static final int CLIENTS = 3;

    private final List<ClientUnderTest> all = new ArrayList<>();
    private final BusyExecutor executor = new BusyExecutor();

    private TopologyClients() {}

    static TopologyClients open(Topology topology) {
        TopologyClients clients = new TopologyClients();
        for (int i = 0; i < CLIENTS; i++) {
            ClientUnderTest underTest =
                    ClientUnderTest.of(topology.open(TIMING.commandTimeout()), TIMING, clients.executor);
            clients.all.add(underTest);
            underTest.warmUp("warm-up-p" + i);
        }
        return clients;
    }

    List<ClientUnderTest> all() {
        return all;
    }

    @Override
    public void close() {
        all.forEach(ClientUnderTest::close);
        executor.close();
    }
}
