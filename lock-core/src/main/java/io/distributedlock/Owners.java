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
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock drawing = new ReentrantLock();
    private volatile Stock stock = draw();

    String next() {
        Stock present = stock;
        int place = present.taken().getAndIncrement();
        while (place >= AT_ONCE) {
            present = after(present);
            place = present.taken().getAndIncrement();
        }
        return TEXT.encodeToString(Arrays.copyOfRange(present.bits(), place * BYTES, (place + 1) * BYTES));
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
        random.nextBytes(bits);
        return new Stock(bits, new AtomicInteger());
    }

    /** Random bits for so many owners, and how many of these were asked for. */
    private record Stock(byte[] bits, AtomicInteger taken) {}
}
