package io.distributedlock;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * One lock cut into independent segments, for a thing that is in such demand that its users can be spread over parts of
 * it: the stock of a product that is split into shelves, for example.
 *
 * <p>Guaranteed: which segment a value belongs to is the same in every process and every version of this library, see
 * {@link #segmentOf(String, int)}. Two holders of different segments do not exclude each other, and none of them
 * excludes a holder of the whole lock: what is guarded by segments must never be guarded by anything else,
 * nor change the number of segments while processes with another number run.
 *
 * <p>Segment 3 of the lock with the key {@code 42} has the key {@code 42#3} under the same name.
 */
public final class SegmentedLock {

    /** The largest number of segments. */
    public static final int MAX_SEGMENTS = 1_000;

    private final LockClient client;
    private final LockRequest whole;
    private final int segments;

    /**
     * @throws IllegalArgumentException if the number of segments is not from 2 to {@value #MAX_SEGMENTS}, or the
     * request is for several keys
     */
    public SegmentedLock(LockClient client, LockRequest whole, int segments) {
        if (whole.keys().size() > 1) {
            throw new IllegalArgumentException("Lock '" + whole.name() + "' is wanted for "
                    + whole.keys().size() + " keys, but a lock in segments has one");
        }
        this.client = client;
        this.whole = whole;
        this.segments = requireSegments(segments);
    }

    /**
     * The segment to which a value belongs: the CRC-32 of its UTF-8 bytes, as in zip files (reflected polynomial
     * 0xEDB88320), unsigned, modulo the number of segments. A lone surrogate counts as a question mark.
     *
     * @return from 0 to {@code segments - 1}
     */
    public static int segmentOf(String value, int segments) {
        CRC32 hash = new CRC32();
        hash.update(value.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % requireSegments(segments));
    }

    /** The key of one segment of the lock with this key. */
    public static String keyOf(String key, int segment) {
        return key + "#" + segment;
    }

    private static int requireSegments(int segments) {
        if (segments < 2 || segments > MAX_SEGMENTS) {
            throw new IllegalArgumentException(
                    "A lock can have from 2 to " + MAX_SEGMENTS + " segments, but not " + segments);
        }
        return segments;
    }

    /** A request for one segment, for a {@link LockTemplate} or the client. */
    public LockRequest segment(int number) {
        if (number < 0 || number >= segments) {
            throw new IllegalArgumentException(
                    "The lock has the segments 0 to " + (segments - 1) + ", but no segment " + number);
        }
        return whole.withKey(keyOf(whole.key(), number));
    }

    /** A request for the segment to which a value belongs. */
    public LockRequest segmentFor(String value) {
        return segment(segmentOf(value, segments));
    }

    /**
     * All segments, beginning with that to which a value belongs: the order in which to look for something that may be
     * in any of them.
     */
    public List<Integer> beginningAt(String value) {
        int own = segmentOf(value, segments);
        return IntStream.range(0, segments).mapToObj(i -> (own + i) % segments).toList();
    }

    /**
     * A segment that is free now, looked for in the order of {@link #beginningAt(String)} with one try each.
     *
     * @throws LockUnavailableException as {@link LockClient#acquire(LockRequest)} throws it, and the same for other
     *     exceptions
     */
    public Optional<Segment> tryAny(String value) {
        for (int number : beginningAt(value)) {
            Optional<LockHandle> lock = client.tryAcquire(segment(number).withWaitTime(Duration.ZERO));
            if (lock.isPresent()) {
                return Optional.of(new Segment(number, lock.get()));
            }
        }
        return Optional.empty();
    }

    /**
     * Any segment: a free one as by {@link #tryAny(String)}, or else that to which the value belongs, waited for as
     * long as the request says. The tries before, one round trip for each segment, come on top of the wait time.
     *
     * @throws LockNotAcquiredException if no segment was free, and the value's own was not released in time
     */
    public Segment acquireAny(String value) {
        return tryAny(value).orElseGet(() -> {
            int own = segmentOf(value, segments);
            return new Segment(own, client.acquire(segment(own)));
        });
    }

    /** A segment that is held until it is closed. */
    public record Segment(int number, LockHandle lock) implements AutoCloseable {

        @Override
        public void close() {
            lock.close();
        }
    }
}
