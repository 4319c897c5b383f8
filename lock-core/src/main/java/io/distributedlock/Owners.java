package io.distributedlock;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes owners: 128 random bits, a new one for each acquisition, so that no late command of one can touch the lock of another.
 *
 * <p>The bits are drawn for many owners at once, because their source lets in one thread at a time.
 */
final class Owners {

    private static final int BYTES = 16;
    private static final int AT_ONCE = 64;

    private final ReentrantLock drawing = new ReentrantLock();

    /** Used up from the beginning: the platform's source of random bits takes its time to load, and an application that starts needs none yet. */
    private volatile Stock stock = new Stock(new byte[0], new AtomicInteger(AT_ONCE));

    String next() {
        Stock present = stock;
        int place = present.taken().getAndIncrement();
        while (place >= AT_ONCE) {
            present = after(present);
            place = present.taken().getAndIncrement();
        }
        return Source.TEXT.encodeToString(Arrays.copyOfRange(present.bits(), place * BYTES, (place + 1) * BYTES));
    }

    private Stock after(Stock used) {
        drawing.lock();
        try {
            if (stock == used) {
                stock = draw();
            }
            return stock;
        } finally {
            drawing.unlock();
        }
    }

    private Stock draw() {
        byte[] bits = new byte[AT_ONCE * BYTES];
        Source.RANDOM.nextBytes(bits);
        return new Stock(bits, new AtomicInteger());
    }

    /** Loaded with the first draw. */
    private static final class Source {

        static final SecureRandom RANDOM = new SecureRandom();
        static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();
    }

    /** Random bits for so many owners, and how many of these were asked for. */
    private record Stock(byte[] bits, AtomicInteger taken) {}
}
