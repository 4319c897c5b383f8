package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.campaign.workload.CampaignMix;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.SentinelSet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A master with two replicas and three Sentinels. Whenever the master changes, the last of its writes may be lost. */
final class SentinelTopology implements Topology {

    private final SentinelSet set = SentinelSet.start();

    @Override
    public String name() {
        return "sentinel";
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        RedisClientSource source = RedisClientSource.of(RedisURI.create(set.uri()));
        return new RedisLockStore(new RedisLockConnection(source, commandTimeout), "lock");
    }

    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        return List.of(
                new FaultType("master killed", 3, random -> leave(recorder, RedisServer::kill)),
                new FaultType("master hung", 2, random -> leave(recorder, RedisServer::pause)),
                new FaultType("master changed on request", 2, random -> change(recorder)),
                new FaultType("master stopped for a moment", 3, random -> stop(recorder, pacer)),
                new FaultType(
                        "a replica killed",
                        2,
                        random -> lose(recorder, set.replicas().get(random.nextInt(2)))),
                new FaultType(
                        "a sentinel restarted",
                        1,
                        random -> set.restart(set.sentinels().get(random.nextInt(3)))));
    }

    private void leave(Recorder recorder, Consumer<RedisServer> end) {
        try (OpenFault fault = recorder.fault("master lost", Effect.SERVER_UNREACHABLE, Effect.STATE_DESTROYED)) {
            RedisServer former = set.master();
            end.accept(former);
            set.awaitPromotion(former);
            set.rejoinAll();
        }
    }

    private void change(Recorder recorder) {
        try (OpenFault fault = recorder.fault("master changed", Effect.SERVER_UNREACHABLE, Effect.STATE_DESTROYED)) {
            set.failover();
            set.rejoinAll();
        }
    }

    private void stop(Recorder recorder, Pacer pacer) {
        try (OpenFault fault = recorder.fault("stopped", Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)) {
            RedisServer master = set.master();
            master.pause();
            pacer.pause(Duration.ofMillis(400));
            master.resume();
        }
    }

    private void lose(Recorder recorder, RedisServer replica) {
        try (OpenFault fault = recorder.fault("replica lost")) {
            replica.kill();
            set.rejoinAll();
        }
    }

    @Override
    public Duration recovery() {
        return CampaignMix.LONGEST_LEASE_OF_A_KILLABLE_CLIENT.plusSeconds(1);
    }

    @Override
    public List<RedisServer> masters() {
        return List.of(set.master());
    }

    @Override
    public List<RedisServer> servers() {
        return Stream.concat(set.nodes().stream(), set.sentinels().stream()).toList();
    }

    @Override
    public void close() {
        set.close();
    }
}
