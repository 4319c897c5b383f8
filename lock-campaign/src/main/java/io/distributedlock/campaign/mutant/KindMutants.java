package io.distributedlock.campaign.mutant;

import io.distributedlock.LockHandle;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.test.store.ForwardingLockStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Mistakes that can be made with locks that are shared, or that are several. */
final class KindMutants {

    private KindMutants() {}

    /** Grants shares of an exclusively held lock, because readers have a lock of their own. */
    static LockStore readersApart(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(apart(claim), ttl, patience);
            }

            @Override
            public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
                return super.extend(apart(claim), token, ttl);
            }

            @Override
            public CompletionStage<Release> release(Claim claim) {
                return super.release(apart(claim));
            }
        };
    }

    private static Claim apart(Claim claim) {
        return claim.isShared() ? new Claim(claim.id() + ":readers", claim.owner(), claim.mode()) : claim;
    }

    /** Exclusive claims take no notice of shared holders. */
    static LockStore writersOverReaders(LockStore sound, String uri) {
        return new MutantStore(sound, uri) {
            private static final String OVER =
                    "if string.find(redis.call('GET', KEYS[1]) or '', '^~shared') then redis.call('DEL', KEYS[1])"
                            + " end return 1";

            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                if (claim.isShared()) {
                    return super.acquire(claim, ttl, patience);
                }
                return raw.number(OVER, RawRedis.keyOf(claim.id()))
                        .thenCompose(done -> super.acquire(claim, ttl, patience));
            }
        };
    }

    /** The locks of several keys are taken for the first of them. */
    static LockHandle firstOfSeveral(LockHandle sound) {
        return sound.parts().get(0);
    }
}
