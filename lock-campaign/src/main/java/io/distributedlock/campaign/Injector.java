package io.distributedlock.campaign;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A thread that injects one fault after the other, with healthy time in between. Several of them make faults overlap. */
final class Injector {

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final List<Disturbance> kinds;
    private final Pacer pacer;
    private final Duration rest;
    private final Random random;
    private final Thread thread;

    private Injector(String name, List<Disturbance> kinds, Pacer pacer, Duration rest, long seed) {
        this.kinds = List.copyOf(kinds);
        this.pacer = pacer;
        this.rest = rest;
        this.random = new Random(seed);
        this.thread = new Thread(this::run, "campaign-faults-" + name);
        thread.setDaemon(true);
    }

    /** @param longestRest the longest healthy time between two faults; the shortest is a quarter of it */
    static Injector start(String name, List<Disturbance> kinds, Pacer pacer, Duration longestRest, long seed) {
        Injector injector = new Injector(name, kinds, pacer, longestRest, seed);
        injector.thread.start();
        return injector;
    }

    private void run() {
        try {
            while (pacer.pause(random, rest.dividedBy(4), rest)) {
                Disturbance chosen = choose();
                counts.merge(chosen.name(), 1, Integer::sum);
                chosen.action().inject(random);
            }
        } catch (RuntimeException | Error surprise) {
            surprises.add(surprise);
        }
    }

    private Disturbance choose() {
        int ticket = random.nextInt(kinds.stream().mapToInt(Disturbance::weight).sum());
        for (Disturbance kind : kinds) {
            ticket -= kind.weight();
            if (ticket < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the ticket is higher than the sum of the weights");
    }

    /** Waits for the end of the present fault, after the pacer has ended. */
    void awaitEnd() {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a fault is taken back", interrupted);
        }
    }

    /** How many faults of each name were injected. */
    Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    /** What went wrong while injecting. */
    List<Throwable> surprises() {
        return List.copyOf(surprises);
    }
}
