package io.distributedlock.redis;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ExtensionAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leases that are extended by one script, and who is to be told of each. */
final class Extension {

    private final List<Integer> places = new ArrayList<>(Extensions.MAX_TOGETHER);
    private final List<String> keys = new ArrayList<>(1 + Extensions.MAX_TOGETHER);
    private final List<String> arguments = new ArrayList<>(2 + Extensions.MAX_TOGETHER);
    private final ExtensionAnswers answers;

    /** @param token the highest of the grants' */
    Extension(String fenceKey, long token, Duration ttl, ExtensionAnswers answers) {
        this.answers = answers;
        keys.add(fenceKey);
        arguments.add(RedisLockStore.millis(ttl));
        arguments.add(String.valueOf(token));
    }

    /** @param place of the claim among those of the caller */
    void add(int place, Claim claim, String key) {
        places.add(place);
        keys.add(key);
        if (claim.isShared()) {
            keys.add(LockKeys.shares(key));
        }
        arguments.add(claim.owner());
    }

    int size() {
        return places.size();
    }

    List<String> keys() {
        return keys;
    }

    String[] arguments() {
        return arguments.toArray(String[]::new);
    }

    /** Tells the caller how the extension of the {@code i}-th lock of this script ended. */
    void tell(int i, @Nullable Boolean held, @Nullable Throwable failure) {
        answers.ended(places.get(i), held, failure);
    }
}
