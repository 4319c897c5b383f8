package io.distributedlock.campaign;

import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.Relay;
import io.distributedlock.testkit.history.OwnerPoller;
import io.distributedlock.testkit.history.Recorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A Redis, the clients of this JVM that use it through relays, and all that observes them. */
final class Environment implements AutoCloseable {

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
    Environment(RedisServer server, Workload workload, Path folder, Duration samplePeriod) {
        this.server = server;
        this.workload = workload;
        this.folder = Directories.empty(folder);
        this.sharedState = SharedState.open(folder, workload.contended(), workload.contended() + workload.ownKeys());
        this.poller = OwnerPoller.start(recorder, sharedState.redisKeys(), samplePeriod, server::port);
    }

    /** Connects the clients and sets their threads to work. */
    void open(Mutation mutation, Random seeds) {
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
    static long firstIdOf(int process) {
        return 1 + (long) process * IDS_OF_A_PROCESS;
    }

    static boolean belongsTo(int process, long id) {
        return id >= firstIdOf(process) && id < firstIdOf(process + 1);
    }

    /** Ends the work of all threads. */
    void stop() {
        clients.forEach(client -> client.workers().stop());
    }

    List<Throwable> errors() {
        return clients.stream()
                .flatMap(client -> client.workers().errors().stream())
                .toList();
    }

    RedisServer server() {
        return server;
    }

    Workload workload() {
        return workload;
    }

    Recorder recorder() {
        return recorder;
    }

    Pacer pacer() {
        return pacer;
    }

    BusyExecutor executor() {
        return executor;
    }

    Path folder() {
        return folder;
    }

    SharedState sharedState() {
        return sharedState;
    }

    List<ClientProcess> clients() {
        return clients;
    }

    @Override
    public void close() {
        clients.forEach(ClientProcess::close);
        executor.close();
        poller.close();
    }
}
