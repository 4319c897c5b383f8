package io.distributedlock.campaign;

import io.distributedlock.testkit.Cut;
import io.distributedlock.testkit.Direction;
import io.distributedlock.testkit.Relay;
import io.distributedlock.testkit.RelayConnection;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Faults on the way between one client and the server. */
final class LineFaults {

    private static final Duration RECONNECTED_LIMIT = Duration.ofSeconds(1);

    private final Recorder recorder;
    private final Pacer pacer;
    private final List<? extends Line> lines;
    private final Duration commandTimeout;

    LineFaults(Stage stage, List<? extends Line> lines) {
        this.recorder = stage.recorder();
        this.pacer = stage.pacer();
        this.lines = List.copyOf(lines);
        this.commandTimeout = stage.setting().timing().commandTimeout();
    }

    List<Disturbance> all() {
        return List.of(
                new Disturbance("cut by FIN", 3, random -> cut(any(random), Cut.FIN)),
                new Disturbance("cut by RST", 3, random -> cut(any(random), Cut.RST)),
                new Disturbance("replies late", 3, random -> late(any(random), Direction.REPLIES, someTime(random))),
                new Disturbance("requests late", 3, random -> late(any(random), Direction.REQUESTS, someTime(random))),
                new Disturbance("replies lost", 4, random -> lost(any(random), Direction.REPLIES, random)),
                new Disturbance("requests lost", 3, random -> lost(any(random), Direction.REQUESTS, random)),
                new Disturbance("requests late from an ended connection", 4, random -> orphaned(any(random), random)),
                new Disturbance("delay", 2, random -> delay(any(random), random)),
                new Disturbance("refused", 2, random -> refuse(any(random), random)));
    }

    private Line any(Random random) {
        return lines.get(random.nextInt(lines.size()));
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

    void cut(Line line, Cut cut) {
        try (OpenFault fault = recorder.fault("cut by " + cut, line.process(), Effect.SERVER_UNREACHABLE)) {
            line.relay().cut(cut);
            awaitReconnected(line.relay());
        }
    }

    void late(Line line, Direction direction, Duration time) {
        Effect[] effects = direction == Direction.REPLIES
                ? new Effect[] {Effect.SERVER_UNREACHABLE}
                : new Effect[] {Effect.SERVER_UNREACHABLE, Effect.REQUESTS_LATE};
        try (OpenFault fault = recorder.fault(direction + " late", line.process(), effects)) {
            line.relay().hold(direction);
            pacer.pause(time);
            line.relay().deliver(direction);
        }
    }

    void lost(Line line, Direction direction, Random random) {
        lost(line, direction, someTime(random), anyCut(random));
    }

    void lost(Line line, Direction direction, Duration time, Cut cut) {
        try (OpenFault fault = recorder.fault(direction + " lost", line.process(), Effect.SERVER_UNREACHABLE)) {
            line.relay().hold(direction);
            pacer.pause(time);
            line.relay().cut(cut);
            line.relay().deliver(direction);
            awaitReconnected(line.relay());
        }
    }

    /** The client gives up its connection; what it had sent there reaches the server later, while a new connection is in use. */
    void orphaned(Line line, Random random) {
        try (OpenFault fault = recorder.fault(
                "requests late from an ended connection",
                line.process(),
                Effect.SERVER_UNREACHABLE,
                Effect.REQUESTS_LATE)) {
            List<RelayConnection> connections = line.relay().connections();
            connections.forEach(each -> each.hold(Direction.REQUESTS));
            pacer.pause(random, commandTimeout.dividedBy(10), commandTimeout);
            Cut cut = anyCut(random);
            connections.forEach(each -> each.cutClientSide(cut));
            pacer.pause(random, commandTimeout.dividedBy(10), commandTimeout.multipliedBy(3));
            connections.forEach(each -> each.deliver(Direction.REQUESTS));
        }
    }

    private void delay(Line line, Random random) {
        try (OpenFault fault = recorder.fault("delay", line.process())) {
            for (Direction direction : Direction.values()) {
                line.relay()
                        .delay(
                                direction,
                                commandTimeout.multipliedBy(random.nextInt(60)).dividedBy(100));
            }
            pacer.pause(random, commandTimeout, commandTimeout.multipliedBy(4));
            for (Direction direction : Direction.values()) {
                line.relay().delay(direction, Duration.ZERO);
            }
        }
    }

    private void refuse(Line line, Random random) {
        try (OpenFault fault = recorder.fault("refused", line.process(), Effect.SERVER_UNREACHABLE)) {
            line.relay().refuse(true);
            line.relay().cut(anyCut(random));
            pacer.pause(someTime(random));
            line.relay().refuse(false);
            awaitReconnected(line.relay());
        }
    }

    private static void awaitReconnected(Relay relay) {
        Pacer.await(RECONNECTED_LIMIT, () -> !relay.connections().isEmpty());
    }
}
