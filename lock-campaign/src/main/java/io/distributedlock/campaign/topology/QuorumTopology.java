package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Five masters that write every command to disk before they answer: whatever befalls them, no lock is lost. */
final class QuorumTopology implements Topology {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(100);

    private final RedisFleet fleet = RedisFleet.start(5, "--appendonly", "yes", "--appendfsync", "always");

    @Override
    public String name() {
        return "quorum";
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        List<QuorumNode> nodes = fleet.uris().stream()
                .map(uri -> new QuorumNode(uri, node(uri, commandTimeout)))
                .toList();
        return new QuorumLockStore(nodes, NODE_TIMEOUT);
    }

    private static LockStore node(String uri, Duration commandTimeout) {
        RedisClientSource source = RedisClientSource.of(RedisURI.create(uri));
        return new RedisLockStore(new RedisLockConnection(source, commandTimeout), "lock");
    }

    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        return List.of(
                new FaultType(
                        "a minority killed", 4, random -> kill(recorder, pacer, some(random, 1 + random.nextInt(2)))),
                new FaultType(
                        "a minority hung", 4, random -> stop(recorder, pacer, some(random, 1 + random.nextInt(2)))),
                new FaultType(
                        "a majority killed", 1, random -> kill(recorder, pacer, some(random, 3 + random.nextInt(3)))),
                new FaultType(
                        "a majority hung", 2, random -> stop(recorder, pacer, some(random, 3 + random.nextInt(3)))),
                new FaultType("all clients of a node killed", 4, random -> disconnect(recorder, some(random, 1))));
    }

    private List<RedisServer> some(Random random, int count) {
        List<RedisServer> shuffled = new ArrayList<>(fleet.servers());
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, count);
    }

    private OpenFault fault(Recorder recorder, String name, List<RedisServer> concerned) {
        boolean majority = concerned.size() > fleet.servers().size() / 2;
        return majority
                ? recorder.fault(name, Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)
                : recorder.fault(name, Effect.REQUESTS_LATE);
    }

    private void kill(Recorder recorder, Pacer pacer, List<RedisServer> concerned) {
        try (OpenFault fault = fault(recorder, "killed", concerned)) {
            concerned.forEach(RedisServer::kill);
            pacer.pause(Duration.ofMillis(500));
            concerned.forEach(RedisServer::restart);
            pacer.pause(Duration.ofMillis(500));
        }
    }

    private void stop(Recorder recorder, Pacer pacer, List<RedisServer> concerned) {
        try (OpenFault fault = fault(recorder, "hung", concerned)) {
            concerned.forEach(RedisServer::pause);
            pacer.pause(Duration.ofMillis(700));
            concerned.forEach(RedisServer::resume);
            pacer.pause(Duration.ofMillis(500));
        }
    }

    private void disconnect(Recorder recorder, List<RedisServer> concerned) {
        try (OpenFault fault = fault(recorder, "disconnected", concerned)) {
            concerned.forEach(server -> server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
        }
    }

    @Override
    public Duration recovery() {
        return Duration.ofSeconds(2);
    }

    @Override
    public List<RedisServer> masters() {
        return fleet.servers();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
