package io.distributedlock.redis.script;

import io.lettuce.core.cluster.SlotHash;

/**
 * Where the fence counters are: one for all locks, or in a Cluster one for all locks of a slot, because a script can
 * only be about keys of one slot. A counter for each lock would leave a key behind for every id that was ever locked.
 */
final class FenceKeys {

    private static final int RADIX = 36;

    private final String single;

    FenceKeys(String prefix) {
        this.single = prefix + "fence";
    }

    /** The counter of a lock on one Redis. */
    String ofAll() {
        return single;
    }

    /** The counter of a lock in a Cluster. */
    String besides(String lockKey) {
        return single + ":{" + Tags.BY_SLOT[SlotHash.getSlot(lockKey)] + "}";
    }

    /** For each slot the smallest number whose digits hash to it. Running locks depend on it: it must not change. */
    private static final class Tags {

        static final String[] BY_SLOT = new String[SlotHash.SLOT_COUNT];

        static {
            int missing = BY_SLOT.length;
            for (int number = 0; missing > 0; number++) {
                String tag = Integer.toString(number, RADIX);
                int slot = SlotHash.getSlot(tag);
                if (BY_SLOT[slot] == null) {
                    BY_SLOT[slot] = tag;
                    missing--;
                }
            }
        }
    }
}
