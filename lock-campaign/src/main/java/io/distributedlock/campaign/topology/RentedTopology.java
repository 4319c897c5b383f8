package io.distributedlock.campaign.topology;

import io.distributedlock.campaign.fault.FaultType;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.redis.ScriptUse;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.provider.Profile;
import io.distributedlock.testkit.provider.Profiles;
import io.distributedlock.testkit.provider.ProviderRelay;
import io.distributedlock.testkit.provider.RentedServer;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.RelayConnection;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One server that each client reaches through a relay of its own, which has the rules of a provider: from the start, or
 * now and then, as if the server had failed over to a stricter node and back.
 */
final class RentedTopology implements Topology {

    private record Way(Profile profile, ScriptUse scripts) {}

    private static final List<Way> WITHOUT_SCRIPTS = List.of(
            new Way(Profiles.ALIBABA_PROXY.with(Profiles.TAIR_COMMANDS), ScriptUse.NEVER),
            new Way(Profiles.NO_SCRIPTS.with(Profiles.REDIS_8_4_COMMANDS), ScriptUse.AUTO),
            new Way(Profiles.NO_RIGHT_TO_SCRIPTS.with(Profiles.TAIR_COMMANDS), ScriptUse.AUTO));

    private final RedisServer server = RedisServer.start();
    private final List<ProviderRelay> relays = new ArrayList<>();
    private final String name;
    private final List<Way> ways;
    private final List<Profile> stricter;

    private RentedTopology(String name, List<Way> ways, List<Profile> stricter) {
        this.name = name;
        this.ways = ways;
        this.stricter = stricter;
    }

    /** A server that runs no scripts: each client reaches it in another way and by other commands. */
    static RentedTopology withoutScripts() {
        return new RentedTopology("one server without scripts", WITHOUT_SCRIPTS, List.of());
    }

    static RentedTopology behind(RentedServer rented) {
        List<Way> ways = List.of(new Way(rented.profile(), ScriptUse.AUTO));
        return new RentedTopology(rented.name(), ways, List.of());
    }

    /** A server without rules, whose other node has those of this one. */
    static RentedTopology failingOverTo(RentedServer rented) {
        List<Way> ways = List.of(new Way(Profiles.BARE, ScriptUse.AUTO));
        return new RentedTopology("failover to " + rented.name(), ways, List.of(rented.profile()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockStore open(Duration commandTimeout) {
        Way way = ways.get(relays.size() % ways.size());
        ProviderRelay relay = ProviderRelay.to(server.port(), way.profile());
        relays.add(relay);
        RedisClientSource source = RedisClientSource.of(RedisURI.create(relay.uri()));
        return new RedisLockStore(new RedisLockConnection(source, commandTimeout), "lock", true, way.scripts());
    }

    @Override
    public List<FaultType> faults(Recorder recorder, Pacer pacer) {
        List<FaultType> faults = new ArrayList<>(List.of(
                new FaultType("cut", 4, random -> cut(recorder, random)),
                new FaultType("replies lost", 4, random -> lose(recorder, pacer, random)),
                new FaultType("requests late from an ended connection", 4, random -> orphan(recorder, pacer, random)),
                new FaultType("server hung", 2, random -> hang(recorder, pacer)),
                new FaultType("server came back empty", 1, random -> forget(recorder, pacer))));
        stricter.forEach(profile ->
                faults.add(new FaultType("stricter node", 8, random -> failOver(recorder, pacer, random, profile))));
        return faults;
    }

    private OpenFault fault(Recorder recorder, String name, int client, Effect... effects) {
        return recorder.fault(name, "p" + client, effects);
    }

    private void cut(Recorder recorder, Random random) {
        int client = random.nextInt(relays.size());
        try (OpenFault fault = fault(recorder, "cut", client, Effect.SERVER_UNREACHABLE)) {
            relays.get(client).relay().cut(random.nextBoolean() ? Cut.FIN : Cut.RST);
        }
    }

    private void lose(Recorder recorder, Pacer pacer, Random random) {
        int client = random.nextInt(relays.size());
        try (OpenFault fault = fault(recorder, "replies lost", client, Effect.SERVER_UNREACHABLE)) {
            relays.get(client).relay().hold(Direction.REPLIES);
            pacer.pause(random, Duration.ofMillis(50), Duration.ofMillis(900));
            relays.get(client).relay().cut(Cut.RST);
            relays.get(client).relay().deliver(Direction.REPLIES);
        }
    }

    private void orphan(Recorder recorder, Pacer pacer, Random random) {
        int client = random.nextInt(relays.size());
        try (OpenFault fault =
                fault(recorder, "requests late", client, Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)) {
            List<RelayConnection> connections = relays.get(client).relay().connections();
            connections.forEach(each -> each.hold(Direction.REQUESTS));
            pacer.pause(random, Duration.ofMillis(30), Duration.ofMillis(300));
            connections.forEach(each -> each.cutClientSide(Cut.RST));
            pacer.pause(random, Duration.ofMillis(30), Duration.ofMillis(900));
            connections.forEach(each -> each.deliver(Direction.REQUESTS));
        }
    }

    private void failOver(Recorder recorder, Pacer pacer, Random random, Profile profile) {
        try (OpenFault fault = recorder.fault("stricter node", Effect.SERVER_UNREACHABLE)) {
            lead(profile);
            pacer.pause(random, Duration.ofMillis(300), Duration.ofSeconds(4));
            lead(Profiles.BARE);
        }
    }

    private void lead(Profile profile) {
        relays.forEach(relay -> {
            relay.failOverTo(profile);
            relay.relay().cut(Cut.RST);
        });
    }

    private void hang(Recorder recorder, Pacer pacer) {
        try (OpenFault fault = recorder.fault("hung", Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE)) {
            server.pause();
            pacer.pause(Duration.ofMillis(500));
            server.resume();
            pacer.pause(Duration.ofMillis(200));
        }
    }

    private void forget(Recorder recorder, Pacer pacer) {
        try (OpenFault fault = recorder.fault("empty", Effect.SERVER_UNREACHABLE, Effect.STATE_DESTROYED)) {
            server.restart();
            pacer.pause(Duration.ofMillis(500));
        }
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
        relays.forEach(ProviderRelay::close);
        server.close();
    }
}
