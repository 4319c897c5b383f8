package io.distributedlock.campaign.fault;

import io.distributedlock.campaign.client.BusyExecutor.Occupation;
import io.distributedlock.campaign.process.ClientProcess;
import io.distributedlock.campaign.process.Environment;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Recorder.OpenFault;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.relay.RelayConnection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** The faults of the scenarios. */
public final class FaultScripts {

    /** The keys of a release are those of an acquire of a share, which names owner, ttl and the wish for a token. */
    private static final Pattern RELEASE = Pattern.compile(":r lock:fence(:\\{\\w+})? \\S+:q (?!\\S+ \\d+ [01]( |$))");

    private FaultScripts() {}

    /** An acquire or an extension, but not a release. */
    public static boolean isAboutTokens(String request) {
        return request.contains("lock:fence") && !RELEASE.matcher(request).find();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static LinkFaults links(Environment environment) {
        return new LinkFaults(environment, environment.clients());
    }

    private static ClientProcess any(Environment environment, Random random) {
        return environment.clients().get(random.nextInt(environment.clients().size()));
    }

    /** Requests of one client arrive when its leases have run out. */
    public static void requestsLate(Environment environment, Random random) {
        links(environment).late(any(environment, random), Direction.REQUESTS, millis(300));
        environment.pacer().pause(millis(100));
    }

    /**
     * Replies, and sometimes requests, get lost with their connection: before callers time out, while they ask again,
     * and afterwards.
     */
    public static void trafficLost(Environment environment, Random random) {
        Direction direction = random.nextInt(3) == 0 ? Direction.REQUESTS : Direction.REPLIES;
        Duration commandTimeout = environment.workload().timing().commandTimeout();
        Duration time = commandTimeout.multipliedBy(20 + random.nextInt(280)).dividedBy(100);
        links(environment).lost(any(environment, random), direction, time, random.nextBoolean() ? Cut.FIN : Cut.RST);
        environment.pacer().pause(random, millis(50), millis(150));
    }

    /** All replies take most of a command timeout. */
    public static void slowReplies(Environment environment, Random random) {
        slow(
                environment,
                environment.clients(),
                environment.workload().timing().commandTimeout().multipliedBy(9).dividedBy(10));
    }

    /** One client needs for one step as long as others for many. */
    public static void oneSlowClient(Environment environment, Random random) {
        slow(environment, environment.clients().subList(0, 1), millis(20));
    }

    /** Requests need now nearly no time and then nearly a command timeout of a short lease. */
    public static void jitter(Environment environment, Random random) {
        Relay relay = any(environment, random).relay();
        try (OpenFault fault = environment.recorder().fault("jitter")) {
            relay.delay(Direction.REQUESTS, millis(35));
            environment.pacer().pause(random, millis(20), millis(120));
            relay.delay(Direction.REQUESTS, Duration.ZERO);
            environment.pacer().pause(random, millis(20), millis(120));
        }
    }

    private static void slow(Environment environment, List<ClientProcess> clients, Duration delay) {
        try (OpenFault fault = environment.recorder().fault("slow replies")) {
            clients.forEach(client -> client.relay().delay(Direction.REPLIES, delay));
            environment.pacer().pause(Duration.ofMinutes(1));
            clients.forEach(client -> client.relay().delay(Direction.REPLIES, Duration.ZERO));
        }
    }

    /** The reply to an acquire is lost just before its command timeout, so that the acquire is repeated. */
    public static void lateRepetition(Environment environment, Random random) {
        ClientProcess client = any(environment, random);
        Relay relay = client.relay();
        CompletableFuture<RelayConnection> held = relay.holdWhen(Direction.REPLIES, FaultScripts::isAboutTokens);
        while (!held.isDone() && environment.pacer().pause(millis(2))) {
            Thread.onSpinWait();
        }
        held.cancel(false);
        try (OpenFault fault =
                environment.recorder().fault("reply lost", client.process(), Effect.SERVER_UNREACHABLE)) {
            environment.pacer().pause(millis(160));
            relay.cut(Cut.FIN);
            relay.deliver(Direction.REPLIES);
        }
        environment.pacer().pause(millis(400));
    }

    public static void keysDeleted(Environment environment, Random random) {
        new ServerFaults(environment).deleteKey(random);
        environment.pacer().pause(random, millis(500), millis(900));
    }

    public static void everythingFlushed(Environment environment, Random random) {
        new ServerFaults(environment).flushAll();
        environment.pacer().pause(millis(400));
    }

    /** The server is stopped for longer than a lease. */
    public static void serverStopped(Environment environment, Random random) {
        Duration ttl = environment.workload().timing().ttl();
        new ServerFaults(environment).stop(ttl.plus(ttl.dividedBy(2)));
        environment.pacer().pause(ttl);
    }

    /** The application's executor has no thread left for longer than a lease. */
    public static void executorBusy(Environment environment, Random random) {
        try (OpenFault fault = environment.recorder().fault("executor busy");
                Occupation occupation = environment.executor().occupy()) {
            environment.pacer().pause(millis(700));
        }
        environment.pacer().pause(millis(200));
    }

    /** A process vanishes for good between an acquire and its reply. */
    public static void clientVanishes(Environment environment, Random random) {
        ClientProcess client = environment.clients().get(0);
        CompletableFuture<RelayConnection> held =
                client.relay().holdWhen(Direction.REPLIES, FaultScripts::isAboutTokens);
        held.join();
        try (OpenFault fault =
                environment.recorder().fault("client vanished", client.process(), Effect.SERVER_UNREACHABLE)) {
            environment.recorder().killing(client.process());
            client.relay().refuse(true);
            client.relay().cut(Cut.RST);
            client.workers().stop();
            environment.pacer().pause(Duration.ofMinutes(1));
        }
    }

    /** Late requests from ended connections, with a server that forbids clients to drop them. */
    public static void orphansThatCantBeDropped(Environment environment, Random random) {
        environment.server().command("ACL", "SETUSER", "default", "-client|kill");
        links(environment).orphaned(any(environment, random), random);
        environment.pacer().pause(millis(300));
    }
}
