package io.distributedlock.benchmarks.peer;

import java.time.Duration;
import java.util.UUID;

/** Opens clients that are ready: connections stand, classes are loaded, Redis knows the scripts. */
public final class Opening {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int TRIES = 5;

    private Opening() {}

    /**
     * Opens a client and lets it take and release a lock of its own.
     *
     * @throws IllegalStateException if it still can't after some tries
     */
    public static PeerClient of(Peer peer, int port) {
        PeerClient client = peer.open(port);
        String key = "opened-" + UUID.randomUUID();
        for (int failures = 0; ; ) {
            try {
                cycle(client, key);
                return client;
            } catch (RuntimeException failure) {
                failures++;
                if (failures == TRIES) {
                    throw new IllegalStateException(peer + " can't lock: " + failure.getMessage(), failure);
                }
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
