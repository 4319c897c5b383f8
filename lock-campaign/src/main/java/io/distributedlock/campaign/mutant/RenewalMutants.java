package io.distributedlock.campaign.mutant;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.ForwardingLockStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Mistakes that can be made when a lease is renewed. */
final class RenewalMutants {

    private RenewalMutants() {}

    static LockStore withoutCompare(LockStore sound, String uri) {
        return renewedBy("return redis.call('PEXPIRE', KEYS[1], ARGV[2])", sound, uri);
    }

    static LockStore thatTakesTheLockBack(LockStore sound, String uri) {
        return renewedBy("redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1", sound, uri);
    }

    /** Waiters poll, so that one of them takes a deleted lock before its holder notices. */
    private static LockStore renewedBy(String script, LockStore sound, String uri) {
        return new MutantStore(sound, uri) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl, Duration.ZERO);
            }

            @Override
            public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
                return raw.number(
                                script,
                                RawRedis.keyOf(claim.id()),
                                claim.owner(),
                                String.valueOf(Math.max(1, ttl.toMillis())))
                        .thenApply(answer -> answer == 1 ? ttl : Duration.ZERO);
            }
        };
    }

    /** The deadline moves when the renewal is sent, not when it is answered. */
    static LockStore believedBeforeTheAnswer(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
                super.extend(claim, token, ttl);
                return CompletableFuture.completedFuture(ttl);
            }
        };
    }
}
