package io.distributedlock.internal.lease;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All leases that are watched. Each knows its place here, because a map would cost more than many of their other parts.
 */
public final class LeaseRegistry {

    private static final int SMALLEST = 16;

    private final Lock guard = new ReentrantLock();
    private @Nullable HeldLease[] places = new HeldLease[SMALLEST];
    private int size;

    /** One that has ended meanwhile does not stay. */
    public void add(HeldLease heldLease) {
        guard.lock();
        try {
            if (size == places.length) {
                places = Arrays.copyOf(places, size * 2);
            }
            places[size] = heldLease;
            heldLease.moveTo(size++);
        } finally {
            guard.unlock();
        }
        if (heldLease.isOver()) {
            remove(heldLease);
        }
    }

    /** Ends a lease: no look at it follows, and no renewal. Returns false if it had ended before. */
    public boolean end(HeldLease heldLease) {
        boolean first = heldLease.end() != null;
        remove(heldLease);
        return first;
    }

    /** Does nothing if it is not here. */
    private void remove(HeldLease heldLease) {
        guard.lock();
        try {
            int place = heldLease.place();
            if (place < 0) {
                return;
            }
            HeldLease last = places[--size];
            places[place] = last;
            places[size] = null;
            if (last != null) {
                last.moveTo(place);
            }
            heldLease.moveTo(ConfirmedLease.NOWHERE);
            shrink();
        } finally {
            guard.unlock();
        }
    }

    private void shrink() {
        if (size >= SMALLEST && size < places.length / 4) {
            places = Arrays.copyOf(places, places.length / 2);
        }
    }

    /** Those that are watched now. */
    public List<HeldLease> all() {
        guard.lock();
        try {
            return List.of(Arrays.copyOf(places, size));
        } finally {
            guard.unlock();
        }
    }
}
