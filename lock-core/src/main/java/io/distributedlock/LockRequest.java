package io.distributedlock;

import io.distributedlock.spi.LockMode;
import java.time.Duration;

/**
 * Which lock is wanted, and how.
 *
 * @param name the static part: it groups locks of one kind and becomes a tag of metrics, so it must not contain user data
 * @param key the variable part; requests with the same name and key exclude each other
 * @param mode whether others may hold the lock at the same time
 * @param options how to take and hold it
 */
public record LockRequest(String name, String key, LockMode mode, LockOptions options) {

    /** The name of locks that were asked for by a key alone. */
    public static final String DEFAULT_NAME = "default";

    /** @throws IllegalArgumentException if name or key is empty or blank: such a value would be one lock for everybody */
    public LockRequest {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock is blank. Give it a constant such as \"orders\"");
        }
        if (key.isBlank()) {
            throw new IllegalArgumentException(
                    "The key of lock '" + name
                            + "' is empty or blank: it would be one lock for everybody. Check the value that the key is made of");
        }
    }

    /** A request to hold the lock alone. */
    public LockRequest(String name, String key, LockOptions options) {
        this(name, key, LockMode.EXCLUSIVE, options);
    }

    public static LockRequest of(String key) {
        return of(DEFAULT_NAME, key);
    }

    public static LockRequest of(String name, String key) {
        return new LockRequest(name, key, LockOptions.DEFAULTS);
    }

    /**
     * The same lock, held together with others who share it, but never while somebody holds it alone. Who holds it already can't turn a share
     * into the whole lock.
     */
    public LockRequest shared() {
        return new LockRequest(name, key, LockMode.SHARED, options);
    }

    /** The same lock, held for at most {@code ttl} and never renewed. */
    public LockRequest withTtl(Duration ttl) {
        return with(options.withTtl(ttl));
    }

    /** The same lock, waited for at most {@code waitTime}; zero means one try. */
    public LockRequest withWaitTime(Duration waitTime) {
        return with(options.withWaitTime(waitTime));
    }

    /** The same lock, lost to its holder after {@code maxHold} at the latest, however often it is renewed. */
    public LockRequest withMaxHold(Duration maxHold) {
        return with(options.withMaxHold(maxHold));
    }

    /** The same lock, whose loss interrupts the work that {@link LockTemplate} does under it. */
    public LockRequest withInterruptOnLoss() {
        return with(options.withInterruptOnLoss(true));
    }

    /** The same lock, taken and held as the {@link LockPolicy} of that name says, where this request says nothing. */
    public LockRequest withPolicy(String policy) {
        return with(options.withPolicy(policy));
    }

    /** The same for another key. */
    public LockRequest withKey(String key) {
        return new LockRequest(name, key, mode, options);
    }

    private LockRequest with(LockOptions changed) {
        return new LockRequest(name, key, mode, changed);
    }

    LockId id() {
        return LockId.of(name, key);
    }
}
