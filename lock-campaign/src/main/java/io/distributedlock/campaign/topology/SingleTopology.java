package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.fault.LinkFaults;
import io.distributedlock.campaign.fault.ServerFaults;
import io.distributedlock.campaign.process.Link;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One server that writes every command to disk before it answers; each client reaches it through its own relay. */
final class SingleTopology implements Topology {

    private final RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    private final List<ClientLink> links = new ArrayList<>();

    private record ClientLink(String process, Relay relay) implements Link {}

    @Override
    public String name() {
        return "single";
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        Relay relay = Relay.to(server.port());
        links.add(new ClientLink("p" + links.size(), relay));
        RedisClientSource source = RedisClientSource.of(RedisURI.create(relay.uri()));
        return new RedisLockStore(new RedisLockConnection(source, commandTimeout), "lock");
    }

    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        Duration commandTimeout = TopologyClients.TIMING.commandTimeout();
        return Stream.concat(
                        new LinkFaults(recorder, pacer, links, commandTimeout).all().stream(),
                        new ServerFaults(server, recorder, pacer, TopologyRun.CONTENDED, commandTimeout)
                                .all(true).stream())
                .toList();
    }

    @Override
    public Duration recovery() {
        return Duration.ofSeconds(1);
    }

    @Override
    public List<RedisServer> masters() {
        return List.of(server);
    }

    @Override
    public void close() {
        links.forEach(link -> link.relay().close());
        server.close();
    }
}
