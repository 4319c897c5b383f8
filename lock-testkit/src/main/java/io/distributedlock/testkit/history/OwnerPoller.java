package io.distributedlock.testkit.history;

import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An oracle that asks Redis again and again, on a connection of its own, who owns some locks.
 *
 * <p>While the server can't be reached there are no samples. Only string values are understood as owners; one that
 * begins with {@code ~shared} says that the owners are in a sorted set beside it, by the end of their shares in
 * milliseconds of the server's clock.
 */
public final class OwnerPoller implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration FOR_EVER = Duration.ofDays(365);
    private static final long NO_EXPIRY = -1;
    private static final String SHARED = "~shared";
    /** What the store puts behind the owner of a lock that claims are queued for. */
    private static final String QUEUED_MARK = "!";

    private static final String SHARES = ":r";
    private static final int QUEUED = 5;

    private final Recorder recorder;
    private final Map<String, String> keys;
    private final Duration period;
    private final IntSupplier port;
    private final AtomicLong rounds = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;

    private OwnerPoller(Recorder recorder, Map<String, String> keys, Duration period, IntSupplier port) {
        this.recorder = recorder;
        this.keys = Map.copyOf(keys);
        this.period = period;
        this.port = port;
        this.thread = new Thread(this::run, "testkit-owner-poller");
        thread.setDaemon(true);
    }

    /**
     * Starts to ask.
     *
     * @param keys the Redis key of each lock's key
     * @param period the pause between two rounds over all keys
     * @param port gives the port on 127.0.0.1 of the server to ask, each time a connection is made
     */
    public static OwnerPoller start(Recorder recorder, Map<String, String> keys, Duration period, IntSupplier port) {
        OwnerPoller poller = new OwnerPoller(recorder, keys, period, port);
        poller.thread.start();
        return poller;
    }

    /** How many rounds over all keys have been recorded. */
    public long rounds() {
        return rounds.get();
    }

    /**
     * Ends the asking and returns when it has ended.
     *
     * @throws IllegalStateException if it had ended before, for example because the recorder was full
     */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new IllegalStateException("the owner poller had stopped", failure);
        }
    }

    private void run() {
        while (!closed && failure == null) {
            try (RespClient client = RespClient.connect(port.getAsInt(), TIMEOUT)) {
                while (!closed) {
                    keys.forEach((key, redisKey) -> look(client, key, redisKey));
                    rounds.incrementAndGet();
                    LockSupport.parkNanos(period.toNanos());
                }
            } catch (UncheckedIOException | RespError unreachable) {
                LockSupport.parkNanos(period.toNanos());
            } catch (RuntimeException e) {
                failure = e;
            }
        }
    }

    /** A transaction of reads, since a script would be held up by a server that pauses writes. */
    private void look(RespClient client, String key, String redisKey) {
        long begin = System.nanoTime();
        client.send("MULTI");
        client.send("GET", redisKey);
        client.send("PTTL", redisKey);
        client.send("ZRANGE", redisKey + SHARES, "0", "-1", "WITHSCORES");
        client.send("TIME");
        client.send("EXEC");
        for (int i = 0; i < QUEUED; i++) {
            client.receive();
        }
        if (client.receive() instanceof List<?> reply
                && !(reply.get(0) instanceof RespError)
                && reply.get(1) instanceof Long remaining) {
            String owner = Objects.toString(reply.get(0), "").replace(QUEUED_MARK, "");
            long end = System.nanoTime();
            recorder.sample(
                    owner.startsWith(SHARED)
                            ? new OwnerSample(key, begin, end, "", Duration.ZERO, shares(reply))
                            : new OwnerSample(key, begin, end, OwnerHash.of(owner), duration(remaining)));
        }
    }

    /** The shares that have not ended. */
    private static Map<String, Duration> shares(List<?> reply) {
        List<?> members = (List<?>) reply.get(2);
        List<?> time = (List<?>) reply.get(3);
        long now = number(time.get(0)) * 1_000_000 + number(time.get(1));
        Map<String, Duration> shares = new HashMap<>();
        for (int i = 0; i < members.size(); i += 2) {
            long left = number(members.get(i + 1)) * 1_000 - now;
            if (left > 0) {
                shares.put(OwnerHash.of(String.valueOf(members.get(i))), Duration.of(left, ChronoUnit.MICROS));
            }
        }
        return shares;
    }

    private static long number(@Nullable Object text) {
        return Long.parseLong(String.valueOf(text));
    }

    private static Duration duration(long pttl) {
        return pttl == NO_EXPIRY ? FOR_EVER : Duration.ofMillis(Math.max(0, pttl));
    }
}
