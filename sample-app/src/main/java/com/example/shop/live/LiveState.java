package com.example.shop.live;

import com.example.shop.demo.FlashSaleResult;
import com.example.shop.demo.Incident;
import com.example.shop.demo.SecondShop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A moment of this shop.
 *
 * @param pid the process of this shop
 * @param redis whether Redis is the embedded one: only then can its replies be lost, and a second shop be started
 * @param redisAway whether Redis gave no answer
 * @param ttlMillis the lease of locks that have no ttl of their own
 * @param sale the flash sale that runs, or the last one; null before the first
 * @param held the locks that this shop holds, the oldest first
 * @param waiting how many calls of this shop wait for a lock
 * @param report the lock of the report, whichever shop holds it; null if it is free
 * @param second the second shop that this one has started; null before the first
 * @param incident what happened since the replies of Redis began to be lost; null before
 */
record LiveState(
        long pid,
        boolean redis,
        boolean redisAway,
        long ttlMillis,
        @Nullable FlashSaleResult sale,
        List<Held> held,
        int waiting,
        @Nullable Report report,
        SecondShop.@Nullable Status second,
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
