package io.distributedlock.campaign.process;

import io.distributedlock.campaign.client.BusyExecutor;
import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.campaign.workload.SharedState;
import io.distributedlock.campaign.workload.WorkerGroup;
import io.distributedlock.campaign.workload.Workload;
import io.distributedlock.testkit.history.OwnerPoller;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A Redis, the clients of this JVM that use it through relays, and all that observes them. */
public final class Environment implements AutoCloseable {

    private static final int CAPACITY = 8_000_000;
    private static final int IDS_OF_A_PROCESS = 100;

    private final List<ClientProcess> clients = new ArrayList<>();
    private final Recorder recorder = new Recorder(CAPACITY);
    private final Pacer pacer = new Pacer();
    private final BusyExecutor executor = new BusyExecutor();
    private final RedisServer server;
    private final Workload workload;
    private final Path folder;
    private final SharedState sharedState;
    private final OwnerPoller poller;

    /** @param samplePeriod the pause between two looks at all keys */
    public Environment(RedisServer server, Workload workload, Path folder, Duration samplePeriod) {
        this.server = server;
        this.workload = workload;
        this.folder = Directories.empty(folder);
        this.sharedState = SharedState.open(folder, workload.contended(), workload.contended() + workload.ownKeys());
        this.poller = OwnerPoller.start(recorder, sharedState.redisKeys(), samplePeriod, server::port);
    }

    /** Connects the clients and sets their threads to work. */
    public void open(Mutation mutation, Random seeds) {
        for (int i = 0; i < workload.clients(); i++) {
            Relay relay = Relay.to(server.port());
            ClientUnderTest underTest = ClientUnderTest.open(relay.uri(), workload.timing(), executor, mutation);
            String process = "p" + i;
            clients.add(new ClientProcess(
                    process, relay, underTest, new WorkerGroup(process, underTest, sharedState, recorder)));
            underTest.warmUp("warm-up-" + process);
        }
        for (int i = 0; i < clients.size(); i++) {
            for (int j = 0; j < workload.threads(); j++) {
                int ownKey = workload.contended() + Math.min(i * workload.threads() + j, workload.ownKeys() - 1);
                clients.get(i).workers().join(firstIdOf(i) + j, ownKey, workload.mix(), seeds.nextLong());
            }
        }
    }

    /** The first of the ids that belong to the threads of this process; those of this JVM come first. */
    public static long firstIdOf(int process) {
        return 1 + (long) process * IDS_OF_A_PROCESS;
    }

    static boolean belongsTo(int process, long id) {
        return id >= firstIdOf(process) && id < firstIdOf(process + 1);
    }

    /** Ends the work of all threads. */
    public void stop() {
        clients.forEach(client -> client.workers().stop());
    }

    public List<Throwable> errors() {
        return clients.stream()
                .flatMap(client -> client.workers().errors().stream())
                .toList();
    }

    public RedisServer server() {
        return server;
    }

    public Workload workload() {
        return workload;
    }

    public Recorder recorder() {
        return recorder;
    }

    public Pacer pacer() {
        return pacer;
    }

    public BusyExecutor executor() {
        return executor;
    }

    Path folder() {
        return folder;
    }

    public SharedState sharedState() {
        return sharedState;
    }

    public List<ClientProcess> clients() {
        return clients;
    }

    @Override
    public void close() {
        clients.forEach(ClientProcess::close);
        executor.close();
        poller.close();
    }
}
