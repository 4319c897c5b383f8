package io.distributedlock.simulation;

import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** The one server that all simulated clients use, with the clock and the dice of the run. */
final class SimulatedServer {

    /** More steps than any run needs: a client that never rests is a defect, too. */
    private static final int MOST_COMMANDS = 60_000;

    private static final int LOGGED = 200;

    private final ManualScheduler time = new ManualScheduler();
    private final InMemoryLockStore locks = new InMemoryLockStore(() -> time.now() + ahead());
    private final Deque<String> log = new ArrayDeque<>();
    private final Set<String> released = new HashSet<>();
    private final Random dice;
    private final double trouble;
    private int commands;
    private long ahead;

    /** @param trouble 0 for a network without faults, up to 1 */
    SimulatedServer(long seed, double trouble) {
        this.dice = new Random(seed);
        this.trouble = trouble;
    }

    ManualScheduler time() {
        return time;
    }

    Random dice() {
        return dice;
    }

    double trouble() {
        return trouble;
    }

    /** How long a message is on its way. */
    Duration latency() {
        int kind = dice.nextInt(100);
        if (kind < 70) {
            return Duration.ofNanos(200_000 + dice.nextInt(800_000));
        }
        if (kind < 97 || dice.nextDouble() > trouble) {
            return Duration.ofMillis(dice.nextInt(5));
        }
        return Duration.ofMillis(dice.nextInt(1_500));
    }

    private long ahead() {
        return ahead;
    }

    /** Nanoseconds by the server's clock, which goes on while the clients' machine is suspended. */
    long clock() {
        return time.now() + ahead;
    }

    /** The machine of all clients sleeps: neither their monotonic clock nor their timers notice. */
    void suspendClients(Duration by) {
        ahead += by.toNanos();
        time.suspend(by);
    }

    AcquireResult acquire(Claim claim, Duration ttl, Duration patience) {
        AcquireResult result =
                locks.acquire(claim, ttl, patience).toCompletableFuture().join();
        log("acquire " + claim + " for " + ttl + ": " + (result instanceof Granted ? "granted" : "refused"));
        return result;
    }

    Duration extend(Claim claim, long token, Duration ttl) {
        Duration left = locks.extend(claim, token, ttl).toCompletableFuture().join();
        log("extend " + claim + ": " + left);
        return left;
    }

    Release release(Claim claim) {
        Release answer = locks.release(claim).toCompletableFuture().join();
        if (answer.held()) {
            released.add(claim.id());
        }
        log("release " + claim + ": " + answer.outcome());
        return answer;
    }

    boolean releaseAfter(Claim claim, Duration left) {
        boolean held = locks.releaseAfter(claim, left).toCompletableFuture().join();
        released.remove(claim.id());
        log("release " + claim + " after " + left + ": " + held);
        return held;
    }

    /** Those that have the lock now; empty if it is free. */
    List<String> owners(String id) {
        return locks.find(id)
                .toCompletableFuture()
                .join()
                .map(lock -> List.copyOf(lock.owners()))
                .orElse(List.of());
    }

    /** Whether the last owner that had the lock to the end released it. */
    boolean wasReleased(String id) {
        return released.contains(id);
    }

    private void log(String command) {
        commands++;
        if (commands > MOST_COMMANDS) {
            throw new AssertionError("the clients never rest:\n  " + String.join("\n  ", log));
        }
        log.add(time.elapsed() + " " + command);
        if (log.size() > LOGGED) {
            log.remove();
        }
    }

    /** The latest commands for a lock. */
    String history(String id) {
        return log.stream().filter(line -> line.contains(id)).collect(Collectors.joining("\n  ", "\n  ", "\n"));
    }
}
