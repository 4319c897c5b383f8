package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.benchmarks.contender.Locks;
import io.distributedlock.benchmarks.incident.RunResult.Again;
import io.distributedlock.testkit.process.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.LogManager;

/**
 * The case in which the client is a process that is killed after Redis has given it the lock and before it has heard
 * of that.
 */
final class KilledClient {

    private static final String READY = "ready";
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private KilledClient() {}

    static RunResult run(RunSetup setup) {
        BreakableLink link = setup.link();
        try (ChildJvm child =
                ChildJvm.start(KilledClient.class, setup.library().name(), String.valueOf(link.port()), setup.key())) {
            child.awaitLine(READY::equals, START_LIMIT);
            CompletableFuture<Void> dead =
                    link.dieAt(setup.redisKey(), setup.faultCase().lost());
            child.send("acquire");
            dead.join();
            String owner = setup.probe().awaitOwner(setup.redisKey());
            child.kill();
            Recovery aftermath = Recovery.of(setup, owner);
            link.comeBack(setup.faultCase().cut());
            return new RunResult(Optional.empty(), false, aftermath.lifetime(), aftermath.next(), Again.NOT_TRIED);
        }
    }

    /** The client: it says that it is ready, and acquires the lock when told to. */
    public static void main(String[] arguments) throws IOException {
        LogManager.getLogManager().reset();
        Library library = Library.valueOf(arguments[0]);
        String key = arguments[2];
        Locks locks = RunSetup.open(library, FaultCase.CLIENT_KILLED, Integer.parseInt(arguments[1]), key);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        if (input.readLine() != null) {
            System.out.println(locks.acquire(key, Calls.WAIT));
        }
    }
}
