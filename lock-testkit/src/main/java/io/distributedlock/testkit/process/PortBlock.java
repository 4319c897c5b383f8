package io.distributedlock.testkit.process;

import java.net.DatagramSocket;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A range of ports that one JVM has for itself, so that what the tests of a fork leave behind for a moment, such as a
 * client that reconnects to a server that has ended, never meets a server of another fork or of another build.
 *
 * <p>A UDP socket at the first port of the block claims it. The blocks lie below the range from which systems take the
 * ports of outgoing connections, and so do the ports 10,000 higher, which lie outside of all blocks.
 */
final class PortBlock implements AutoCloseable {
    static final int SIZE = 200;
    static final int BUS_OFFSET = 10_000;
    private static final int COUNT = 50;
    private static final int FIRST = 10_000;

    private final int claimed;
    private final DatagramSocket claim;
    private int next;

    private PortBlock(int claimed, DatagramSocket claim) {
        this.claimed = claimed;
        this.claim = claim;
        this.next = claimed;
    }

    static PortBlock ofThisJvm() {
        return OfThisJvm.BLOCK;
    }

    private static final class OfThisJvm {
        static final PortBlock BLOCK = any();
    }

    /** Begins to look at a place of its own for each process, so that blocks are not used again soon. */
    static PortBlock any() {
        long begin = ProcessHandle.current().pid();
        return IntStream.range(0, COUNT)
                .mapToObj(i -> of((int) ((begin + i) % COUNT)))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "none of " + COUNT + " blocks of ports from " + FIRST + " is free of claims and servers"));
    }

    /**
     * Claims the block at this place, from 0; empty if it is claimed already, or if any server listens in it, such as
     * the Sentinels that a killed JVM has left behind.
     */
    static Optional<PortBlock> of(int place) {
        int first = FIRST + place * SIZE;
        @Nullable DatagramSocket claim = ReservedPort.reserve(first);
        if (claim == null) {
            return Optional.empty();
        }
        if (IntStream.range(first, first + SIZE)
                .allMatch(port -> ReservedPort.isFree(port) && ReservedPort.isFree(port + BUS_OFFSET))) {
            return Optional.of(new PortBlock(first, claim));
        }
        claim.close();
        return Optional.empty();
    }

    /** Its ports in turn, without the one that claims it; the first follows the last. */
    synchronized int next() {
        next = next == last() ? first() : next + 1;
        return next;
    }

    int place() {
        return (claimed - FIRST) / SIZE;
    }

    private int first() {
        return claimed + 1;
    }

    int last() {
        return claimed + SIZE - 1;
    }

    @Override
    public void close() {
        claim.close();
    }

    @Override
    public String toString() {
        return first() + " to " + last();
    }
}
