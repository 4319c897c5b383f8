package io.distributedlock.campaign.topology;

import io.distributedlock.SegmentedLock;
import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.workload.CampaignMix;
import io.distributedlock.campaign.workload.SharedState;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Three masters with a replica each. Whenever a master changes, the last of its writes may be lost; when a slot moves,
 * nothing is.
 */
final class ClusterTopology implements Topology {

    private final RedisCluster cluster = RedisCluster.start();

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        List<RedisURI> nodes = cluster.uris().stream().map(RedisURI::create).toList();
        return new RedisLockStore(new RedisLockConnection(RedisClientSource.ofCluster(nodes), commandTimeout), "lock");
    }

    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        return List.of(
                new FaultType("master killed", 3, random -> leave(recorder, random, RedisServer::kill)),
                new FaultType("master hung", 2, random -> leave(recorder, random, RedisServer::pause)),
                new FaultType("master changed on request", 2, random -> change(recorder, random)),
                new FaultType("master stopped for a moment", 3, random -> stop(recorder, pacer, random)),
                new FaultType("clients of a master killed", 3, random -> disconnect(recorder, random)),
                new FaultType("a slot moved", 6, random -> move(recorder, random)));
    }

    private static String someKey(Random random) {
        return SharedState.redisKey(SegmentedLock.keyOf(SharedState.HOT, random.nextInt(4)));
    }

    private void leave(Recorder recorder, Random random, Consumer<RedisServer> end) {
        try (OpenFault fault = recorder.fault("master lost", Effect.SERVER_UNREACHABLE, Effect.STATE_DESTROYED)) {
            String key = someKey(random);
            RedisServer former = cluster.masterOf(key);
            cluster.replicaOf(former);
            end.accept(former);
            cluster.awaitFailover(key, former);
            cluster.rejoin(former);
        }
    }

    private void change(Recorder recorder, Random random) {
        try (OpenFault fault = recorder.fault("master changed", Effect.SERVER_UNREACHABLE, Effect.STATE_DESTROYED)) {
            String key = someKey(random);
            RedisServer former = cluster.masterOf(key);
            cluster.changeMaster(key);
            cluster.rejoin(former);
        }
    }

    private void stop(Recorder recorder, Pacer pacer, Random random) {
        try (OpenFault fault = recorder.fault("stopped", Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)) {
            RedisServer master = cluster.masterOf(someKey(random));
            master.pause();
            pacer.pause(Duration.ofMillis(400));
            master.resume();
        }
    }

    /** Those that listen to it, as all clients of locks do. */
    private void disconnect(Recorder recorder, Random random) {
        try (OpenFault fault = recorder.fault("clients killed", Effect.SERVER_UNREACHABLE)) {
            cluster.masterOf(someKey(random)).command("CLIENT", "KILL", "TYPE", "pubsub");
        }
    }

    private void move(Recorder recorder, Random random) {
        try (OpenFault fault = recorder.fault("slot moved", Effect.SERVER_UNREACHABLE)) {
            String key = someKey(random);
            RedisServer source = cluster.masterOf(key);
            List<RedisServer> others =
                    cluster.masters().stream().filter(each -> each != source).toList();
            cluster.move(key, others.get(random.nextInt(others.size()))).finish();
        }
    }

    @Override
    public Duration recovery() {
        return CampaignMix.LONGEST_LEASE_OF_A_KILLABLE_CLIENT.plusSeconds(1);
    }

    @Override
    public List<RedisServer> masters() {
        return cluster.masters();
    }

    @Override
    public List<RedisServer> servers() {
        return cluster.nodes();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
