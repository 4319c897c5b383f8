package io.distributedlock.campaign.mutant;

import static java.util.Objects.requireNonNull;

import io.distributedlock.campaign.client.ChangedGrant;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.test.store.ForwardingLockStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Mistakes that can be made when a lock is released. */
final class ReleaseMutants {

    private static final Release DONE = Release.of(true, true);
    private static final long RENEWAL_MILLIS = 100;

    private ReleaseMutants() {}

    static LockStore plainDel(LockStore sound, String uri) {
        return new MutantStore(sound, uri) {
            @Override
            public CompletionStage<Release> release(Claim claim) {
                return raw.number("return redis.call('DEL', KEYS[1])", RawRedis.keyOf(claim.id()))
                        .thenApply(deleted -> DONE);
            }
        };
    }

    static LockStore neverRepeated(LockStore sound) {
        Set<Claim> released = ConcurrentHashMap.newKeySet();
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<Release> release(Claim claim) {
                return released.add(claim) ? super.release(claim) : CompletableFuture.completedFuture(DONE);
            }
        };
    }

    /** A claim whose grant was never answered is never released. */
    static LockStore noReaper(LockStore sound) {
        Set<Claim> granted = ConcurrentHashMap.newKeySet();
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl, patience)
                        .thenApply(answer -> ChangedGrant.in(answer, grant -> {
                            granted.add(claim);
                            return grant;
                        }));
            }

            @Override
            public CompletionStage<Release> release(Claim claim) {
                return granted.contains(claim) ? super.release(claim) : CompletableFuture.completedFuture(DONE);
            }
        };
    }

    /** Only a release that is confirmed ends the renewal, and none is repeated. */
    static LockStore renewedUntilConfirmed(LockStore sound) {
        Map<Claim, Duration> ttls = new ConcurrentHashMap<>();
        Set<Claim> open = ConcurrentHashMap.newKeySet();
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                ttls.put(claim, ttl);
                return super.acquire(claim, ttl, patience);
            }

            @Override
            public CompletionStage<Release> release(Claim claim) {
                if (!open.add(claim)) {
                    return CompletableFuture.completedFuture(DONE);
                }
                renewLater(claim);
                return super.release(claim).thenApply(answer -> {
                    open.remove(claim);
                    return answer;
                });
            }

            private void renewLater(Claim claim) {
                MutantStore.TIMERS.schedule(
                        () -> {
                            if (open.contains(claim)) {
                                super.extend(claim, 1, requireNonNull(ttls.get(claim)));
                                renewLater(claim);
                            }
                        },
                        RENEWAL_MILLIS,
                        TimeUnit.MILLISECONDS);
            }

            @Override
            public void close() {
                open.clear();
                super.close();
            }
        };
    }

    /** Takes every answer for the last word, although an earlier command may still be executed. */
    static LockStore alwaysSettled(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<Release> release(Claim claim) {
                return super.release(claim).thenApply(answer -> Release.of(answer.held(), true));
            }
        };
    }
}
