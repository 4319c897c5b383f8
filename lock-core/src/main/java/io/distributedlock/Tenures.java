package io.distributedlock;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** All tenures that are watched. Each knows its place here, because a map would cost more than many of their other parts. */
final class Tenures {

    private static final int SMALLEST = 16;

    private final Lock guard = new ReentrantLock();
    private @Nullable Tenure[] places = new Tenure[SMALLEST];
    private int size;

    void add(Tenure tenure) {
        guard.lock();
        try {
            if (size == places.length) {
                places = Arrays.copyOf(places, size * 2);
            }
            places[size] = tenure;
            tenure.moveTo(size++);
        } finally {
            guard.unlock();
        }
    }

    /** Ends a lease: no look at it follows, and no renewal. Returns false if it had ended before. */
    boolean end(Tenure tenure) {
        remove(tenure);
        return tenure.end() != null;
    }

    /** Does nothing if it is not here. */
    private void remove(Tenure tenure) {
        guard.lock();
        try {
            int place = tenure.place();
            if (place < 0) {
                return;
            }
            Tenure last = places[--size];
            places[place] = last;
            places[size] = null;
            if (last != null) {
                last.moveTo(place);
            }
            tenure.moveTo(Watched.NOWHERE);
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
    List<Tenure> all() {
        guard.lock();
        try {
            return List.of(Arrays.copyOf(places, size));
        } finally {
            guard.unlock();
        }
    }
}
