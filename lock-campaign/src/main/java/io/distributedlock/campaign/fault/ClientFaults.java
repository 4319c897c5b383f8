package io.distributedlock.campaign.fault;

import io.distributedlock.campaign.client.BusyExecutor;
import io.distributedlock.campaign.client.BusyExecutor.Occupation;
import io.distributedlock.campaign.client.Timing;
import io.distributedlock.campaign.process.ChildProcess;
import io.distributedlock.campaign.process.Environment;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Faults of whole client processes. */
public final class ClientFaults {

    private final Recorder recorder;
    private final Pacer pacer;
    private final BusyExecutor executor;
    private final List<ChildProcess> children;
    private final Timing timing;

    public ClientFaults(Environment environment, List<ChildProcess> children) {
        this.recorder = environment.recorder();
        this.pacer = environment.pacer();
        this.executor = environment.executor();
        this.children = List.copyOf(children);
        this.timing = environment.workload().timing();
    }

    public List<FaultType> all() {
        return List.of(
                new FaultType("process killed", 2, random -> any(random).replace()),
                new FaultType("process frozen for longer than its leases", 2, this::freeze),
                new FaultType("application's executor busy", 2, this::occupyExecutor));
    }

    private ChildProcess any(Random random) {
        return children.get(random.nextInt(children.size()));
    }

    private void freeze(Random random) {
        Duration lease = timing.ttl();
        any(random).freeze(Pacer.between(random, lease.plus(lease.dividedBy(10)), lease.multipliedBy(2)));
    }

    private void occupyExecutor(Random random) {
        try (OpenFault fault = recorder.fault("executor busy");
                Occupation occupation = executor.occupy()) {
            pacer.pause(
                    random,
                    timing.commandTimeout().dividedBy(2),
                    timing.commandTimeout().multipliedBy(2));
        }
    }
}
