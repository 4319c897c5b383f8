package io.distributedlock.internal.store;

import io.distributedlock.internal.time.Scheduler;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes owners, a new one for each acquisition, so that no late command of one can touch the lock of another: 48 random
 * bits that all owners of one client have in common, the time of the acquisition, and 80 random bits of its own. What
 * begins an owner says whose it is: see {@link OwnerOrigin}.
 *
 * <p>The bits are drawn for many owners at once, because their source lets in one thread at a time. They are used for
 * {@value #LIFE_MILLIS} ms at most and dropped when the client is stopped, so that copies of this process, restored
 * from one checkpoint, don't draw the same owners.
 */
public final class OwnerIds {

    private static final int CLIENT_BYTES = 6;
    private static final int TIME_BYTES = 4;
    private static final int BYTES = 10;
    private static final int AT_ONCE = 64;
    private static final int LIFE_MILLIS = 100;
    private static final long LIFE_NANOS = Duration.ofMillis(LIFE_MILLIS).toNanos();

    private final ReentrantLock drawing = new ReentrantLock();
    private final Scheduler time;
    private final Consumer<byte[]> random;
    private final long origin;

    /**
     * Used up from the beginning: the platform's source of random bits takes its time to load, and an application that
     * starts needs none yet.
     */
    private volatile Stock stock = Stock.USED_UP;

    public OwnerIds(Scheduler time) {
        this(time, bits -> Source.RANDOM.nextBytes(bits));
    }

    /** @param random fills an array with random bits */
    OwnerIds(Scheduler time, Consumer<byte[]> random) {
        this.time = time;
        this.random = random;
        this.origin = time.now();
    }

    /** What was drawn in advance is not used any more. */
    public void drop() {
        stock = Stock.USED_UP;
    }

    public String next() {
        Stock present = stock;
        int place = isFresh(present) ? present.taken().getAndIncrement() : AT_ONCE;
        while (place >= AT_ONCE) {
            present = after(present);
            place = present.taken().getAndIncrement();
        }
        byte[] own = ByteBuffer.allocate(TIME_BYTES + BYTES)
                .putInt(tick())
                .put(present.bits(), place * BYTES, BYTES)
                .array();
        return present.client() + Source.TEXT.encodeToString(own);
    }

    /** What the owners that are made now begin with; null if none was made since the client was stopped. */
    @Nullable
    String client() {
        Stock present = stock;
        return present == Stock.USED_UP ? null : present.client();
    }

    /** Now, as owners say it. */
    int tick() {
        return OwnerOrigin.tick(time.now() - origin);
    }

    private boolean isFresh(Stock drawn) {
        return time.now() - drawn.drawnAt() <= LIFE_NANOS;
    }

    private Stock after(Stock used) {
        drawing.lock();
        try {
            if (stock == used) {
                stock = draw(used);
            }
            return stock;
        } finally {
            drawing.unlock();
        }
    }

    private Stock draw(Stock used) {
        byte[] bits = new byte[AT_ONCE * BYTES + CLIENT_BYTES];
        random.accept(bits);
        String client = used == Stock.USED_UP
                ? Source.TEXT.encodeToString(Arrays.copyOfRange(bits, AT_ONCE * BYTES, bits.length))
                : used.client();
        return new Stock(client, bits, new AtomicInteger(), time.now());
    }

    /** Loaded with the first draw. */
    private static final class Source {

        static final SecureRandom RANDOM = new SecureRandom();
        static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();
    }

    /** Random bits for so many owners, and how many of these were asked for. */
    private record Stock(String client, byte[] bits, AtomicInteger taken, long drawnAt) {

        static final Stock USED_UP = new Stock("", new byte[0], new AtomicInteger(AT_ONCE), 0);
    }
}
