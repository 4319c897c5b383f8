package io.distributedlock.benchmarks.child;

import io.distributedlock.benchmarks.figures.Waits;
import io.distributedlock.benchmarks.peer.PeerClient;
import io.distributedlock.testkit.history.MutualExclusionWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Lets threads compete for a lock, and sums up what they saw. */
final class Loop {

    private static final int MAX_THREADS = 1_000;

    private final List<PeerClient> clients;
    private final MutualExclusionWord word;

    Loop(List<PeerClient> clients, MutualExclusionWord word) {
        this.clients = clients;
        this.word = word;
    }

    Outcome run(Order order) {
        if (order.threads() > MAX_THREADS) {
            throw new IllegalArgumentException("at most " + MAX_THREADS + " threads, not " + order.threads());
        }
        List<Worker> workers = IntStream.range(0, order.threads())
                .mapToObj(thread -> new Worker(order, clients.get(thread % clients.size()), word, id(thread)))
                .toList();
        Cpu before = Cpu.now();
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            Thread thread = new Thread(worker, "worker-" + threads.size());
            threads.add(thread);
            thread.start();
        }
        threads.forEach(Loop::join);
        return outcome(workers, before);
    }

    /** Unique among all threads of all processes. */
    private static long id(int thread) {
        return ProcessHandle.current().pid() * MAX_THREADS + thread + 1;
    }

    private static Outcome outcome(List<Worker> workers, Cpu before) {
        Waits waits = new Waits();
        workers.forEach(worker -> waits.add(worker.waits()));
        return new Outcome(
                workers.stream().map(Worker::granted).toList(),
                waits.buckets(),
                waits.max().toNanos(),
                workers.stream().mapToLong(Worker::refused).sum(),
                workers.stream().mapToLong(Worker::errors).sum(),
                workers.stream()
                        .map(Worker::failure)
                        .filter(Objects::nonNull)
                        .map(Objects::requireNonNull)
                        .findFirst(),
                before.usedSince(),
                System.nanoTime());
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while threads were at work", interrupt);
        }
    }
}
