package io.distributedlock.benchmarks.readwrite;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Threads that read and now and then write one thing, under one lock. */
final class ReadersAndWriters {

    private final LockTemplate template;
    private final Mix mix;
    private final boolean readersShare;
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();

    /**
     * How many do what.
     *
     * @param readers of a hundred sections
     * @param section how long each holds the lock
     */
    record Mix(int threads, int readers, Duration section) {}

    /** What was done in a second. */
    record Rate(double reads, double writes) {

        double all() {
            return reads + writes;
        }
    }

    ReadersAndWriters(LockClient client, Mix mix, boolean readersShare) {
        this.template = new LockTemplate(client);
        this.mix = mix;
        this.readersShare = readersShare;
    }

    Rate work(String key, Duration time) {
        LockRequest writing = LockRequest.of("readwrite", key).withWaitTime(Duration.ofMinutes(1));
        LockRequest reading = readersShare ? writing.shared() : writing;
        long begin = System.nanoTime();
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int thread = 0; thread < mix.threads(); thread++) {
            Random random = new Random(thread);
            all.add(() -> {
                while (System.nanoTime() - begin < time.toNanos()) {
                    boolean reads = random.nextInt(100) < mix.readers();
                    template.run(reads ? reading : writing, lock -> work(mix.section()));
                    (reads ? this.reads : writes).increment();
                }
                return true;
            });
        }
        runAll(all);
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Rate(reads.sum() / seconds, writes.sum() / seconds);
    }

    /** A thread that has waited for the lock may be woken early, by the leftover of that. */
    private static void work(Duration section) {
        long end = System.nanoTime() + section.toNanos();
        for (long left = section.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void runAll(List<Callable<Boolean>> all) {
        ExecutorService threads = Executors.newFixedThreadPool(all.size());
        try {
            for (Future<Boolean> done : threads.invokeAll(all)) {
                done.get();
            }
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException("A thread of the crowd has failed", failed);
        } finally {
            threads.shutdownNow();
        }
    }
}
