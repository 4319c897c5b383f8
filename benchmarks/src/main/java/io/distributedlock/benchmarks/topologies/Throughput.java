package io.distributedlock.benchmarks.topologies;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.benchmarks.child.Cpu;
import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.figures.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** How many locks without contention are taken and released in a second, by so many threads of one client. */
final class Throughput {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int KEYS_PER_THREAD = 1_000;

    private final int threads;

    Throughput(int threads) {
        this.threads = threads;
    }

    Round measure(Deployment place, Duration length) {
        Cpu before = Cpu.now();
        Duration serversBefore = place.cpu();
        long begin = System.nanoTime();
        long cycles = run(place.client(), begin + length.toNanos());
        long took = System.nanoTime() - begin;
        Duration clientCpu = before.usedSince();
        Duration serverCpu = place.cpu().minus(serversBefore);
        return new Round(
                Map.of(
                        Headings.CYCLES,
                        cycles * NANOS_PER_SECOND / took,
                        Headings.CLIENT_CPU,
                        micros(clientCpu, cycles),
                        Headings.SERVER_CPU,
                        micros(serverCpu, cycles),
                        Topologies.CORES,
                        (double) clientCpu.plus(serverCpu).toNanos() / took),
                List.of());
    }

    private static double micros(Duration cpu, long cycles) {
        return cpu.toNanos() / NANOS_PER_MICRO / Math.max(1, cycles);
    }

    private long run(LockClient client, long end) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Long>> all = new ArrayList<>();
            IntStream.range(0, threads)
                    .forEach(i -> all.add(CompletableFuture.supplyAsync(() -> cycles(client, i, end), pool)));
            return all.stream().mapToLong(CompletableFuture::join).sum();
        } finally {
            pool.shutdown();
        }
    }

    private static long cycles(LockClient client, int thread, long end) {
        long cycles = 0;
        while (System.nanoTime() - end < 0) {
            String key = thread + "-" + cycles % KEYS_PER_THREAD;
            client.acquire(LockRequest.of(key).withWaitTime(WAIT)).release();
            cycles++;
        }
        return cycles;
    }
}
