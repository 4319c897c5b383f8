package io.distributedlock.campaign.fault;

import io.distributedlock.campaign.process.Environment;
import io.distributedlock.campaign.process.Link;
import io.distributedlock.campaign.process.Pacer;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.relay.RelayConnection;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Faults of the link between one client and the server. */
public final class LinkFaults {

    private static final Duration RECONNECTED_LIMIT = Duration.ofSeconds(1);

    private final Recorder recorder;
    private final Pacer pacer;
    private final List<? extends Link> links;
    private final Duration commandTimeout;

    public LinkFaults(Environment environment, List<? extends Link> links) {
        this(
                environment.recorder(),
                environment.pacer(),
                links,
                environment.workload().timing().commandTimeout());
    }

    public LinkFaults(Recorder recorder, Pacer pacer, List<? extends Link> links, Duration commandTimeout) {
        this.recorder = recorder;
        this.pacer = pacer;
        this.links = List.copyOf(links);
        this.commandTimeout = commandTimeout;
    }

    public List<FaultType> all() {
        return List.of(
                new FaultType("cut by FIN", 3, random -> cut(any(random), Cut.FIN)),
                new FaultType("cut by RST", 3, random -> cut(any(random), Cut.RST)),
                new FaultType("replies late", 3, random -> late(any(random), Direction.REPLIES, someTime(random))),
                new FaultType("requests late", 3, random -> late(any(random), Direction.REQUESTS, someTime(random))),
                new FaultType("replies lost", 4, random -> lost(any(random), Direction.REPLIES, random)),
                new FaultType("requests lost", 3, random -> lost(any(random), Direction.REQUESTS, random)),
                new FaultType("requests late from an ended connection", 4, random -> orphaned(any(random), random)),
                new FaultType("delay", 2, random -> delay(any(random), random)),
                new FaultType("refused", 2, random -> refuse(any(random), random)));
    }

    private Link any(Random random) {
        return links.get(random.nextInt(links.size()));
    }

    private static Cut anyCut(Random random) {
        return random.nextBoolean() ? Cut.FIN : Cut.RST;
    }

    /** Below, above or far above the command timeout: within the last the client ends a silent connection itself. */
    Duration someTime(Random random) {
        int percent = switch (random.nextInt(5)) {
            case 0, 1 -> 20 + random.nextInt(70);
            case 2, 3 -> 110 + random.nextInt(100);
            default -> 350 + random.nextInt(150);
        };
        return commandTimeout.multipliedBy(percent).dividedBy(100);
    }

    void cut(Link link, Cut cut) {
        try (OpenFault fault = recorder.fault("cut by " + cut, link.process(), Effect.SERVER_UNREACHABLE)) {
            link.relay().cut(cut);
            awaitReconnected(link.relay());
        }
    }

    void late(Link link, Direction direction, Duration time) {
        Effect[] effects = direction == Direction.REPLIES
                ? new Effect[] {Effect.SERVER_UNREACHABLE}
                : new Effect[] {Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE};
        try (OpenFault fault = recorder.fault(direction + " late", link.process(), effects)) {
            link.relay().hold(direction);
            pacer.pause(time);
            link.relay().deliver(direction);
        }
    }

    void lost(Link link, Direction direction, Random random) {
        lost(link, direction, someTime(random), anyCut(random));
    }

    void lost(Link link, Direction direction, Duration time, Cut cut) {
        try (OpenFault fault = recorder.fault(direction + " lost", link.process(), Effect.SERVER_UNREACHABLE)) {
            link.relay().hold(direction);
            pacer.pause(time);
            link.relay().cut(cut);
            link.relay().deliver(direction);
            awaitReconnected(link.relay());
        }
    }

    /**
     * The client abandons its connection; what it had sent there reaches the server later, while a new connection is in
     * use.
     */
    void orphaned(Link link, Random random) {
        try (OpenFault fault = recorder.fault(
                "requests late from an ended connection",
                link.process(),
                Effect.SERVER_UNREACHABLE,
                Effect.REQUESTS_LATE)) {
            List<RelayConnection> connections = link.relay().connections();
            connections.forEach(each -> each.hold(Direction.REQUESTS));
            pacer.pause(random, commandTimeout.dividedBy(10), commandTimeout);
            Cut cut = anyCut(random);
            connections.forEach(each -> each.cutClientSide(cut));
            pacer.pause(random, commandTimeout.dividedBy(10), commandTimeout.multipliedBy(3));
            connections.forEach(each -> each.deliver(Direction.REQUESTS));
        }
    }

    private void delay(Link link, Random random) {
        try (OpenFault fault = recorder.fault("delay", link.process())) {
            for (Direction direction : Direction.values()) {
                link.relay()
                        .delay(
                                direction,
                                commandTimeout.multipliedBy(random.nextInt(60)).dividedBy(100));
            }
            pacer.pause(random, commandTimeout, commandTimeout.multipliedBy(4));
            for (Direction direction : Direction.values()) {
                link.relay().delay(direction, Duration.ZERO);
            }
        }
    }

    private void refuse(Link link, Random random) {
        try (OpenFault fault = recorder.fault("refused", link.process(), Effect.SERVER_UNREACHABLE)) {
            link.relay().refuse(true);
            link.relay().cut(anyCut(random));
            pacer.pause(someTime(random));
            link.relay().refuse(false);
            awaitReconnected(link.relay());
        }
    }

    private static void awaitReconnected(Relay relay) {
        Pacer.await(RECONNECTED_LIMIT, () -> !relay.connections().isEmpty());
    }
}
