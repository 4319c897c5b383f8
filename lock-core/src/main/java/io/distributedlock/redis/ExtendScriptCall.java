package io.distributedlock.redis;

import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Leases that one script extends.
 *
 * @param lane where it waits for its turn
 * @param places which place each of their claims has among those of the caller
 */
record ExtendScriptCall(Lane lane, Duration ttl, int size, IntUnaryOperator places, EncodedArguments arguments) {

    /** A longer script would keep others waiting in the server. */
    static final int MAX_TOGETHER = 100;

    /** What leases must have in common to share a script. */
    record Lane(int slot, boolean ofShares) {}

    /** Gathers the leases of one script. */
    static final class Draft {

        private final List<Integer> places = new ArrayList<>(MAX_TOGETHER);
        private final List<String> keys = new ArrayList<>(1 + MAX_TOGETHER);
        private final List<String> arguments = new ArrayList<>(2 + MAX_TOGETHER);
        private final Lane lane;
        private final Duration ttl;

        /** @param token the highest of the grants' */
        Draft(Lane lane, String fenceKey, long token, Duration ttl) {
            this.lane = lane;
            this.ttl = ttl;
            keys.add(fenceKey);
            arguments.add(EncodedArguments.millis(ttl));
            arguments.add(String.valueOf(token));
        }

        void add(int place, Claim claim, String key) {
            places.add(place);
            keys.add(key);
            if (claim.isShared()) {
                keys.add(LockKeys.shares(key));
            }
            arguments.add(claim.owner());
        }

        boolean isFull() {
            return places.size() == MAX_TOGETHER;
        }

        ExtendScriptCall done() {
            return new ExtendScriptCall(lane, ttl, places.size(), order(), new EncodedArguments(keys, arguments));
        }

        /** Mostly they stand one behind the other, and need not be remembered one by one. */
        private IntUnaryOperator order() {
            int first = places.get(0);
            if (places.get(places.size() - 1) - first == places.size() - 1) {
                return i -> first + i;
            }
            int[] each = places.stream().mapToInt(Integer::intValue).toArray();
            return i -> each[i];
        }
    }
}
