package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.benchmarks.contender.Locks;
import io.distributedlock.benchmarks.incident.Sighting.Again;
import io.distributedlock.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.LogManager;

/**
 * The scene in which the client is a process that is killed after Redis has given it the lock and before it has heard
 * of that.
 */
final class KilledClient {

    private static final String READY = "ready";
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private KilledClient() {}

    static Sighting play(Stage stage) {
        Line line = stage.line();
        try (ChildJvm child =
                ChildJvm.start(KilledClient.class, stage.library().name(), String.valueOf(line.port()), stage.key())) {
            child.awaitLine(READY::equals, START_LIMIT);
            CompletableFuture<Void> dead =
                    line.dieAt(stage.redisKey(), stage.scene().lost());
            child.send("acquire");
            dead.join();
            String owner = stage.oracle().awaitOwner(stage.redisKey());
            child.kill();
            Aftermath aftermath = Aftermath.of(stage, owner);
            line.comeBack(stage.scene().cut());
            return new Sighting(Optional.empty(), false, aftermath.stay(), aftermath.next(), Again.NOT_TRIED);
        }
    }

    /** The client: it says that it is ready, and acquires the lock when told to. */
    public static void main(String[] arguments) throws IOException {
        LogManager.getLogManager().reset();
        Library library = Library.valueOf(arguments[0]);
        String key = arguments[2];
        Locks locks = Stage.open(library, Scene.CLIENT_KILLED, Integer.parseInt(arguments[1]), key);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        if (input.readLine() != null) {
            System.out.println(locks.acquire(key, Calls.WAIT));
        }
    }
}
