package io.distributedlock.campaign.mutant;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.test.store.ForwardingLockStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Mistakes that can be made when a lock is asked for. */
final class GrantMutants {

    private static final Duration PROBATION = Duration.ofSeconds(5);
    private static final int OWNERS_IN_AN_IMAGE = 64;
    private static final Duration WHOLE_TTL = Duration.ofMinutes(10);

    private GrantMutants() {}

    static LockStore oneOwnerForAll(LockStore sound, String uri) {
        return new OtherOwners(sound, claim -> new Claim(claim.id(), uri));
    }

    /** Processes that were restored from one image, with owners that were drawn before. */
    static LockStore sameOwnersInAllProcesses(LockStore sound) {
        Map<Claim, Claim> drawn = new ConcurrentHashMap<>();
        AtomicLong next = new AtomicLong();
        return new OtherOwners(
                sound,
                claim -> drawn.computeIfAbsent(
                        claim,
                        first -> new Claim(
                                first.id(),
                                "drawn-before-" + next.getAndIncrement() % OWNERS_IN_AN_IMAGE,
                                first.mode())));
    }

    /** A repetition can't recognise what an earlier try has written. */
    static LockStore freshOwnerForEachTry(LockStore sound) {
        Map<Claim, Claim> latest = new ConcurrentHashMap<>();
        AtomicLong tries = new AtomicLong();
        return new OtherOwners(sound, claim -> latest.getOrDefault(claim, claim)) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                latest.put(claim, new Claim(claim.id(), claim.owner() + "-" + tries.incrementAndGet()));
                return super.acquire(claim, ttl, patience);
            }
        };
    }

    /** A store that writes another owner than that of the claim. */
    private static class OtherOwners extends ForwardingLockStore {

        private final UnaryOperator<Claim> other;

        OtherOwners(LockStore sound, UnaryOperator<Claim> other) {
            super(sound);
            this.other = other;
        }

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return super.acquire(other.apply(claim), ttl, patience);
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            return super.extend(other.apply(claim), token, ttl);
        }

        @Override
        public CompletionStage<Release> release(Claim claim) {
            return super.release(other.apply(claim));
        }
    }

    static LockStore heldOnUnknown(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl, patience).exceptionally(failure -> {
                    if (effectOf(failure) == Effect.UNKNOWN) {
                        return new Refused(ttl, false, MutantStore.NO_NEWS);
                    }
                    throw new CompletionException(failure);
                });
            }
        };
    }

    private static Effect effectOf(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof StoreException known ? known.effect() : Effect.UNKNOWN;
    }

    /** A command that is not idempotent, on a connection that sends again what was in flight when it broke. */
    static LockStore replayed(LockStore sound, String uri) {
        return new MutantStore(sound, uri) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                String set = "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 'OK'";
                return raw.text(set, RawRedis.keyOf(claim.id()), claim.owner(), String.valueOf(ttl.toMillis()))
                        .thenCompose(answer -> answer == null
                                ? CompletableFuture.completedFuture(new Refused(ttl, false, MutantStore.NO_NEWS))
                                : token().thenApply(token -> new Granted(token, ttl, true)));
            }

            private CompletionStage<Long> token() {
                return raw.number("return redis.call('INCR', KEYS[1])", "lock:fence");
            }
        };
    }

    /** The whole ttl at once, before anybody knows of the grant. */
    static LockStore noProbation(LockStore sound) {
        return new ForwardingLockStore(sound) {
            @Override
            public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
                return super.acquire(claim, ttl.equals(PROBATION) ? WHOLE_TTL : ttl, patience);
            }
        };
    }
}
