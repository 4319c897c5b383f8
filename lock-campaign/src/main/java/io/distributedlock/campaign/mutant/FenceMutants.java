package io.distributedlock.campaign.mutant;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Mistakes that can be made when fencing tokens are handed out. */
final class FenceMutants {

    private static final String COUNTER = "mutant:fence";

    private FenceMutants() {}

    /** A counter and nothing else: it begins again when the server has lost it. */
    static LockStore plainCounter(LockStore sound, String uri) {
        return new CountingStore(sound, uri) {
            @Override
            CompletionStage<Long> next() {
                return raw.number("return redis.call('INCR', KEYS[1])", COUNTER);
            }
        };
    }

    /** The client reads the counter and then writes it. */
    static LockStore notAtomic(LockStore sound, String uri) {
        return new CountingStore(sound, uri) {
            @Override
            CompletionStage<Long> next() {
                return raw.number("return tonumber(redis.call('GET', KEYS[1]) or 0)", COUNTER)
                        .thenCompose(last -> raw.number(
                                "redis.call('SET', KEYS[1], ARGV[1]) return tonumber(ARGV[1])",
                                COUNTER,
                                String.valueOf(last + 1)));
            }
        };
    }

    /** A store whose tokens are made apart from its grants. */
    private abstract static class CountingStore extends MutantStore {

        CountingStore(LockStore sound, String uri) {
            super(sound, uri);
        }

        abstract CompletionStage<Long> next();

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return super.acquire(claim, ttl, patience).thenCompose(answer -> {
                if (answer instanceof Granted granted) {
                    return counted(granted).thenApply(counted -> counted);
                }
                Refused refused = (Refused) answer;
                CompletionStage<Optional<Granted>> news =
                        refused.grantNotification().thenCompose(this::counted);
                return CompletableFuture.completedFuture(new Refused(refused.retryAfter(), refused.queued(), news));
            });
        }

        private CompletionStage<Optional<Granted>> counted(Optional<Granted> news) {
            return news.isEmpty()
                    ? CompletableFuture.completedFuture(news)
                    : counted(news.get()).thenApply(Optional::of);
        }

        private CompletionStage<Granted> counted(Granted granted) {
            return next().thenApply(token -> new Granted(token, granted.remaining(), granted.fresh()));
        }
    }
}
