package com.example.shop.live;

import com.example.shop.demo.FlashSaleResult;
import com.example.shop.demo.Incident;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A moment of this shop.
 *
 * @param pid the process of this shop
 * @param redis the address of Redis for a second shop; null if it is not the embedded one
 * @param sale the flash sale that runs, or the last one; null before the first
 * @param held the locks that this shop holds, the oldest first
 * @param waiting how many calls of this shop wait for a lock
 * @param report the lock of the report, whichever shop holds it; null if it is free
 * @param incident what happened since the replies of Redis began to be lost; null before
 */
record LiveState(
        long pid,
        @Nullable String redis,
        @Nullable FlashSaleResult sale,
        List<Held> held,
        int waiting,
        @Nullable Report report,
        Incident.@Nullable Course incident) {

    /**
     * A lock that this shop holds.
     *
     * @param thread the name of the thread that holds it; null if it is none
     */
    record Held(String name, String key, @Nullable String thread, long heldMillis, long leaseMillis) {}

    /**
     * The lock of the report.
     *
     * @param leaseMillis what is left of its lease
     * @param heldHere whether this shop holds it
     */
    record Report(long leaseMillis, boolean heldHere) {}
}
