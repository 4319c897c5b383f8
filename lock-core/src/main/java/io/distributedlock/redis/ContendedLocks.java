package io.distributedlock.redis;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Refused;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which locks were refused lately, as far as there is room: a guess that saves a command, and nothing depends on it.
 */
final class ContendedLocks {

    private static final int CAPACITY = 1024;

    private final AtomicReferenceArray<@Nullable String> refused = new AtomicReferenceArray<>(CAPACITY);

    boolean contains(String id) {
        return id.equals(refused.get(placeOf(id)));
    }

    void note(String id, @Nullable AcquireResult result) {
        int place = placeOf(id);
        if (result instanceof Refused) {
            refused.lazySet(place, id);
        } else if (result != null && contains(id)) {
            refused.lazySet(place, null);
        }
    }

    private static int placeOf(String id) {
        return Math.floorMod(id.hashCode(), CAPACITY);
    }
}
