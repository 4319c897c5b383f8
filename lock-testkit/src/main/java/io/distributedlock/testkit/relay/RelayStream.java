package io.distributedlock.testkit.relay;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** One way through a relayed connection: what was read and has not been delivered; confined to the relay's thread. */
final class RelayStream {
    private static final long READ_AHEAD = 16 << 20;

    private final RelaySocket source;
    private final RelaySocket target;
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private long size;
    private boolean held;
    private int notHeld;
    private long delay;
    private boolean sourceEnded;
    private boolean broken;

    /** Bytes, or the end of the stream, not to be delivered before an instant of the monotonic clock. */
    private record Chunk(ByteBuffer bytes, @Nullable Cut end, long due) {}

    RelayStream(RelaySocket source, RelaySocket target) {
        this.source = source;
        this.target = target;
    }

    /** Keeps what is added from now on; what was added before is on its way and goes on. */
    void hold(boolean wanted) {
        if (wanted && !held) {
            notHeld = chunks.size();
        }
        held = wanted;
    }

    void delay(Duration wanted) {
        delay = wanted.toNanos();
    }

    /** Bytes read and not delivered. */
    long size() {
        return size;
    }

    /** Whether the source should be read on. */
    boolean hasRoom() {
        return size < READ_AHEAD;
    }

    /** Takes bytes along; beyond 16 MiB undelivered the source is not read until the target has taken some. */
    void add(byte[] bytes) {
        if (!broken && bytes.length > 0) {
            chunks.add(new Chunk(ByteBuffer.wrap(bytes), null, System.nanoTime() + delay));
            size += bytes.length;
            source.interest(SelectionKey.OP_READ, hasRoom());
        }
    }

    /** The source gives nothing more; the target hears of it after everything before it. */
    void end(Cut cut) {
        if (sourceEnded) {
            return;
        }
        sourceEnded = true;
        source.interest(SelectionKey.OP_READ, false);
        if (!broken) {
            chunks.add(new Chunk(ByteBuffer.allocate(0), cut, System.nanoTime() + delay));
        }
    }

    /** The target takes nothing more: what was kept for it is thrown away, and so is what comes after it. */
    void breakOff() {
        broken = true;
        chunks.clear();
        size = 0;
        source.interest(SelectionKey.OP_READ, !sourceEnded);
    }

    /** Whether nothing can come through here any more. */
    boolean isOver() {
        return sourceEnded && chunks.isEmpty();
    }

    /** Delivers what is due; gives the nanoseconds until more is due, or a negative number. */
    long flush() {
        while ((!held || notHeld > 0) && !chunks.isEmpty() && target.isConnected()) {
            Chunk head = chunks.getFirst();
            long wait = head.due() - System.nanoTime();
            if (wait > 0) {
                return wait;
            }
            if (!deliver(head)) {
                return -1;
            }
        }
        return -1;
    }

    /** Whether the whole chunk was delivered. */
    private boolean deliver(Chunk chunk) {
        int before = chunk.bytes().remaining();
        if (!target.write(chunk.bytes())) {
            breakOff();
            return false;
        }
        size -= before - chunk.bytes().remaining();
        source.interest(SelectionKey.OP_READ, !sourceEnded && hasRoom());
        boolean whole = !chunk.bytes().hasRemaining();
        target.interest(SelectionKey.OP_WRITE, !whole);
        if (whole) {
            chunks.removeFirst();
            notHeld--;
            if (chunk.end() != null) {
                target.end(chunk.end());
            }
        }
        return whole;
    }
}
