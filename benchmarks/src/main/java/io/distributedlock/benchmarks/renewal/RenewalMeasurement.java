package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Holds locks of one library in a process of their own, against a Redis of their own, and measures several periods of
 * renewal.
 */
final class RenewalMeasurement {

    /**
     * So long, timers of the warm-up may still be under way; for some libraries they would renew what is taken now,
     * too.
     */
    private static final Duration PAUSE = HeldLocks.LEASE.dividedBy(3).plusSeconds(1);

    /**
     * Nine periods, so that the code of renewals is compiled for good, and what is measured is what renewing costs from
     * then on.
     */
    private static final Duration SETTLING = HeldLocks.LEASE.multipliedBy(3);

    private static final int SAMPLES = 1_000;

    private final Library library;
    private final int locks;
    private final Duration window;

    RenewalMeasurement(Library library, int locks, Duration window) {
        this.library = library;
        this.locks = locks;
        this.window = window;
    }

    RenewalResult measure() {
        try (RedisServer redis = RedisServer.start();
                HoldingProcess holder = new HoldingProcess(library, redis.port(), locks)) {
            holder.warmUp();
            pause(PAUSE);
            long others = keys(redis);
            long heapBefore = holder.heap();
            holder.takeAll();
            pause(SETTLING);
            ServerFigures server = ServerFigures.of(redis);
            Duration cpu = holder.cpu();
            long begin = System.nanoTime();
            pause(window);
            Duration used = holder.cpu().minus(cpu);
            Duration passed = Duration.ofNanos(System.nanoTime() - begin);
            ServerFigures done = ServerFigures.of(redis).since(server);
            Duration shortest = shortestLease(redis);
            long heap = holder.heap() - heapBefore;
            long lost = Math.max(0, others + locks - keys(redis));
            return new RenewalResult(library, locks, passed, used, done, heap, lost, shortest);
        }
    }

    private static long keys(RedisServer redis) {
        return number(redis, "DBSIZE");
    }

    private static long number(RedisServer redis, String... command) {
        return Long.parseLong(String.valueOf(redis.command(command)));
    }

    private static Duration shortestLease(RedisServer redis) {
        return Duration.ofMillis(
                LongStream.generate(() -> number(redis, "PTTL", String.valueOf(redis.command("RANDOMKEY"))))
                        .limit(SAMPLES)
                        .filter(left -> left >= 0)
                        .min()
                        .orElse(0));
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", interrupt);
        }
    }
}
