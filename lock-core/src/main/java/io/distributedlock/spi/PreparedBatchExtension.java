package io.distributedlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Leases that are extended together, again and again, for the same time from each call on. */
@FunctionalInterface
public interface PreparedBatchExtension {

    /** Extends them once more. Each answer is delivered once, on any thread, be it before this method returns. */
    void extend(BatchExtensionCallback answers);

    /** Extends leases in any store: as a batch if the store has one, else one by one. */
    static PreparedBatchExtension of(LockStore store, List<Claim> claims, long token, Duration ttl) {
        return store instanceof BatchExtension batches
                ? batches.prepareExtension(claims, token, ttl)
                : oneByOne(store, claims, token, ttl);
    }

    /** Extends each lease with a command of its own. */
    static PreparedBatchExtension oneByOne(LockStore store, List<Claim> claims, long token, Duration ttl) {
        return answers -> {
            for (int i = 0; i < claims.size(); i++) {
                int place = i;
                CompletionStage<Duration> answer;
                try {
                    answer = store.extend(claims.get(place), token, ttl);
                } catch (RuntimeException | Error thrown) {
                    answer = CompletableFuture.failedFuture(thrown);
                }
                answer.whenComplete((left, failure) -> answers.ended(place, left, failure));
            }
        };
    }
}
