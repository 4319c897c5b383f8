package io.distributedlock.campaign.fault;

import io.distributedlock.campaign.process.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A thread that injects one fault after the other, with healthy time in between. Several of them make faults overlap.
 */
public final class FaultInjector {

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final List<FaultType> kinds;
    private final Pacer pacer;
    private final Duration rest;
    private final Random random;
    private final Thread thread;

    private FaultInjector(String name, List<FaultType> kinds, Pacer pacer, Duration rest, long seed) {
        this.kinds = List.copyOf(kinds);
        this.pacer = pacer;
        this.rest = rest;
        this.random = new Random(seed);
        this.thread = new Thread(this::run, "campaign-faults-" + name);
        thread.setDaemon(true);
    }

    /** @param longestRest the longest healthy time between two faults; the shortest is a quarter of it */
    public static FaultInjector start(
            String name, List<FaultType> kinds, Pacer pacer, Duration longestRest, long seed) {
        FaultInjector injector = new FaultInjector(name, kinds, pacer, longestRest, seed);
        injector.thread.start();
        return injector;
    }

    private void run() {
        try {
            while (pacer.pause(random, rest.dividedBy(4), rest)) {
                FaultType chosen = choose();
                counts.merge(chosen.name(), 1, Integer::sum);
                chosen.action().inject(random);
            }
        } catch (RuntimeException | Error error) {
            errors.add(error);
        }
    }

    private FaultType choose() {
        int ticket = random.nextInt(kinds.stream().mapToInt(FaultType::weight).sum());
        for (FaultType kind : kinds) {
            ticket -= kind.weight();
            if (ticket < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the ticket is higher than the sum of the weights");
    }

    /** Waits for the end of the present fault, after the pacer has ended. */
    public void awaitEnd() {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a fault is taken back", interrupted);
        }
    }

    /** How many faults of each name were injected. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    /** What went wrong while injecting. */
    public List<Throwable> errors() {
        return List.copyOf(errors);
    }
}
