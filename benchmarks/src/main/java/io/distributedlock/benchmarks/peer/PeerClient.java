package io.distributedlock.benchmarks.peer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One opened client of a peer: what one process of an application would have. Any thread may use it. */
public interface PeerClient extends AutoCloseable {

    /** Patience for a lock at most so long; null if it was not granted by then. */
    @Nullable
    Hold acquire(String key, Duration wait);

    @Override
    void close();
}
