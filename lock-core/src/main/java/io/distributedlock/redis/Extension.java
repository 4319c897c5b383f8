package io.distributedlock.redis;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ExtensionAnswers;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leases that are extended by one script, and who is to be told of each. */
final class Extension {

    private static final System.Logger LOG = System.getLogger(Extension.class.getName());

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

    /**
     * Tells the caller how the extension of the {@code i}-th lock of this script ended. Whoever fails when it is told keeps its answer from nobody
     * else.
     */
    void tell(int i, @Nullable Boolean held, @Nullable StoreException failure) {
        try {
            answers.ended(places.get(i), held, failure);
        } catch (RuntimeException unexpected) {
            LOG.log(System.Logger.Level.WARNING, "The answer about a lock could not be taken in", unexpected);
        }
    }

    /** What happened to the script happened to each of its locks. */
    void fail(StoreException failure) {
        for (int i = 0; i < size(); i++) {
            tell(i, null, failure);
        }
    }
}
