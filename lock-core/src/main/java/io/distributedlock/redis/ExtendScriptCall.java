package io.distributedlock.redis;

import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Leases that one script extends.
 *
 * @param lane where it waits for its turn
 * @param fenceKey the counter that has to have reached this token if one of them is held
 * @param token zero if none has a token
 * @param places which place each of the claims has among those of the caller
 */
record ExtendScriptCall(
        Lane lane,
        String fenceKey,
        long token,
        Duration ttl,
        List<Integer> places,
        List<Claim> claims,
        EncodedArguments arguments) {

    /** A longer script would keep others waiting in the server. */
    static final int MAX_TOGETHER = 100;

    int size() {
        return places.size();
    }

    /** What leases must have in common to share a script. */
    record Lane(int slot, boolean ofShares) {}

    /** Gathers the leases of one script. */
    static final class Draft {

        private final List<Integer> places = new ArrayList<>(MAX_TOGETHER);
        private final List<Claim> claims = new ArrayList<>(MAX_TOGETHER);
        private final List<String> keys = new ArrayList<>(1 + MAX_TOGETHER);
        private final List<String> arguments = new ArrayList<>(2 + MAX_TOGETHER);
        private final Lane lane;
        private final long token;
        private final Duration ttl;

        /** @param token the highest of the grants' */
        Draft(Lane lane, String fenceKey, long token, Duration ttl) {
            this.lane = lane;
            this.token = token;
            this.ttl = ttl;
            keys.add(fenceKey);
            arguments.add(EncodedArguments.millis(ttl));
            arguments.add(String.valueOf(token));
        }

        void add(int place, Claim claim, String key) {
            places.add(place);
            claims.add(claim);
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
            return new ExtendScriptCall(
                    lane,
                    keys.get(0),
                    token,
                    ttl,
                    List.copyOf(places),
                    List.copyOf(claims),
                    new EncodedArguments(keys, arguments));
        }
    }
}
