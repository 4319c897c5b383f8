package io.distributedlock.campaign;

import io.distributedlock.campaign.BusyExecutor.Occupation;
import io.distributedlock.testkit.Cut;
import io.distributedlock.testkit.Direction;
import io.distributedlock.testkit.Relay;
import io.distributedlock.testkit.RelayConnection;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** The faults that the mutants stumble over. */
final class Scripts {

    private Scripts() {}

    /** An acquire or an extension, but not a release. */
    static boolean isAboutTokens(String request) {
        return request.contains("lock:fence") && !request.contains(":q lock:fence");
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static LineFaults lines(Stage stage) {
        return new LineFaults(stage, stage.seats());
    }

    private static Seat any(Stage stage, Random random) {
        return stage.seats().get(random.nextInt(stage.seats().size()));
    }

    /** Requests of one client arrive when its leases have run out. */
    static void requestsLate(Stage stage, Random random) {
        lines(stage).late(any(stage, random), Direction.REQUESTS, millis(300));
        stage.pacer().pause(millis(100));
    }

    /** Replies, and sometimes requests, get lost with their connection: before callers give up, while they ask again, and after they gave up. */
    static void trafficLost(Stage stage, Random random) {
        Direction direction = random.nextInt(3) == 0 ? Direction.REQUESTS : Direction.REPLIES;
        Duration commandTimeout = stage.setting().timing().commandTimeout();
        Duration time = commandTimeout.multipliedBy(20 + random.nextInt(280)).dividedBy(100);
        lines(stage).lost(any(stage, random), direction, time, random.nextBoolean() ? Cut.FIN : Cut.RST);
        stage.pacer().pause(random, millis(50), millis(150));
    }

    /** All replies take most of a command timeout. */
    static void slowReplies(Stage stage, Random random) {
        slow(
                stage,
                stage.seats(),
                stage.setting().timing().commandTimeout().multipliedBy(9).dividedBy(10));
    }

    /** One client needs for one step as long as others for many. */
    static void oneSlowClient(Stage stage, Random random) {
        slow(stage, stage.seats().subList(0, 1), millis(20));
    }

    /** Requests need now nearly no time and then nearly a command timeout of a short lease. */
    static void jitter(Stage stage, Random random) {
        Relay relay = any(stage, random).relay();
        try (OpenFault fault = stage.recorder().fault("jitter")) {
            relay.delay(Direction.REQUESTS, millis(35));
            stage.pacer().pause(random, millis(20), millis(120));
            relay.delay(Direction.REQUESTS, Duration.ZERO);
            stage.pacer().pause(random, millis(20), millis(120));
        }
    }

    private static void slow(Stage stage, List<Seat> seats, Duration delay) {
        try (OpenFault fault = stage.recorder().fault("slow replies")) {
            seats.forEach(seat -> seat.relay().delay(Direction.REPLIES, delay));
            stage.pacer().pause(Duration.ofMinutes(1));
            seats.forEach(seat -> seat.relay().delay(Direction.REPLIES, Duration.ZERO));
        }
    }

    /** The reply to an acquire is lost just before its command timeout, so that the acquire is repeated. */
    static void lateRepetition(Stage stage, Random random) {
        Seat seat = any(stage, random);
        Relay relay = seat.relay();
        CompletableFuture<RelayConnection> held = relay.holdWhen(Direction.REPLIES, Scripts::isAboutTokens);
        while (!held.isDone() && stage.pacer().pause(millis(2))) {
            Thread.onSpinWait();
        }
        held.cancel(false);
        try (OpenFault fault = stage.recorder().fault("reply lost", seat.process(), Effect.SERVER_UNREACHABLE)) {
            stage.pacer().pause(millis(160));
            relay.cut(Cut.FIN);
            relay.deliver(Direction.REPLIES);
        }
        stage.pacer().pause(millis(400));
    }

    static void keysDeleted(Stage stage, Random random) {
        new ServerFaults(stage).deleteKey(random);
        stage.pacer().pause(random, millis(500), millis(900));
    }

    static void everythingFlushed(Stage stage, Random random) {
        new ServerFaults(stage).flushAll();
        stage.pacer().pause(millis(400));
    }

    /** The server stands still for longer than a lease. */
    static void serverStopped(Stage stage, Random random) {
        Duration ttl = stage.setting().timing().ttl();
        new ServerFaults(stage).stop(ttl.plus(ttl.dividedBy(2)));
        stage.pacer().pause(ttl);
    }

    /** The application's executor has no thread left for longer than a lease. */
    static void executorBusy(Stage stage, Random random) {
        try (OpenFault fault = stage.recorder().fault("executor busy");
                Occupation occupation = stage.executor().occupy()) {
            stage.pacer().pause(millis(700));
        }
        stage.pacer().pause(millis(200));
    }

    /** A process vanishes for good between an acquire and its reply. */
    static void clientVanishes(Stage stage, Random random) {
        Seat seat = stage.seats().get(0);
        CompletableFuture<RelayConnection> held = seat.relay().holdWhen(Direction.REPLIES, Scripts::isAboutTokens);
        held.join();
        try (OpenFault fault = stage.recorder().fault("client vanished", seat.process(), Effect.SERVER_UNREACHABLE)) {
            stage.recorder().killing(seat.process());
            seat.relay().refuse(true);
            seat.relay().cut(Cut.RST);
            seat.party().stop();
            stage.pacer().pause(Duration.ofMinutes(1));
        }
    }

    /** Late requests from ended connections, with a server that does not let a client drop them. */
    static void orphansThatCantBeDropped(Stage stage, Random random) {
        stage.server().command("ACL", "SETUSER", "default", "-client|kill");
        lines(stage).orphaned(any(stage, random), random);
        stage.pacer().pause(millis(300));
    }
}
