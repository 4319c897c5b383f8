package io.distributedlock.benchmarks.peer;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Opens clients that are ready: connections stand, classes are loaded, Redis knows the scripts. */
public final class Opening {

    private static final Duration WAIT = Duration.ofSeconds(30);
    /** Many processes that start at once on few processors are slow to connect. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private Opening() {}

    /**
     * Opens a client and lets it take and release a lock of its own.
     *
     * @throws IllegalStateException if it still can't after a minute
     */
    public static PeerClient of(Peer peer, int port) {
        PeerClient client = peer.open(port);
        String key = "opened-" + UUID.randomUUID();
        long begin = System.nanoTime();
        while (true) {
            try {
                cycle(client, key);
                return client;
            } catch (RuntimeException failure) {
                if (System.nanoTime() - begin > LIMIT.toNanos()) {
                    throw new IllegalStateException(peer + " can't lock: " + failure.getMessage(), failure);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private static void cycle(PeerClient client, String key) {
        Hold hold = client.acquire(key, WAIT);
        if (hold == null) {
            throw new IllegalStateException("a free lock was refused");
        }
        hold.release();
    }
}
