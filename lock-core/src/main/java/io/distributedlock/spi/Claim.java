package io.distributedlock.spi;

import io.distributedlock.LockMode;
import java.util.Objects;

/**
 * One wish to hold one lock: which id, and for which owner.
 *
 * <p>The owner is a random value made for one acquisition. It stays the same through every resend of that
 * acquisition, which is what makes a resend safe, and it is never used again afterwards. A client that knows it can
 * release the lock, so it is kept out of {@link #toString()}.
 *
 * @param id what the store keys the lock by; already encoded, never blank
 * @param owner the release capability of this acquisition
 * @param mode whether others may hold the lock at the same time
 * @param fenced whether the grant is to bring a fencing token: see {@link OnDemandTokens}
 */
public record Claim(String id, String owner, LockMode mode, boolean fenced) {

    public Claim {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(owner, "owner");
        if (id.isBlank() || owner.isBlank()) {
            throw new IllegalArgumentException("A claim needs an id and an owner, but one of them is blank");
        }
    }

    /** A claim whose grant needs no fencing token. */
    public Claim(String id, String owner, LockMode mode) {
        this(id, owner, mode, false);
    }

    /** A claim to hold the lock alone. */
    public Claim(String id, String owner) {
        this(id, owner, LockMode.EXCLUSIVE);
    }

    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    @Override
    public String toString() {
        return "Claim[" + id + "]";
    }
}
