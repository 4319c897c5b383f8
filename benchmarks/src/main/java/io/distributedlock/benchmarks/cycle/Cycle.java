package io.distributedlock.benchmarks.cycle;

import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Hold;
import io.distributedlock.benchmarks.peer.Opening;
import io.distributedlock.benchmarks.peer.PeerClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/** Each thread takes and releases a lock of its own, all through one client. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Cycle {

    private static final Duration WAIT = Duration.ofSeconds(30);

    @Param("")
    public String peer = "";

    @Param("0")
    public int port;

    private @Nullable PeerClient client;

    @Setup
    public void open() {
        LogManager.getLogManager().reset();
        client = Opening.of(Catalogue.named(peer).orElseThrow(), port);
    }

    @TearDown
    public void close() {
        opened().close();
    }

    @Benchmark
    public void cycle(OwnKey own) {
        Hold hold = opened().acquire(own.key, WAIT);
        if (hold == null) {
            throw new IllegalStateException(peer + " was not granted a free lock");
        }
        hold.release();
    }

    private PeerClient opened() {
        PeerClient opened = client;
        if (opened == null) {
            throw new IllegalStateException("no client was opened");
        }
        return opened;
    }

    /** The key of one thread. */
    @State(Scope.Thread)
    public static class OwnKey {

        private String key = "";

        @Setup
        public void name(Cycle cycle, ThreadParams thread) {
            key = cycle.peer + "-" + thread.getThreadIndex();
        }
    }
}
