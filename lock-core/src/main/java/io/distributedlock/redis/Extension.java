package io.distributedlock.redis;

import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A wish to extend one lease, from the call until its answer. */
final class Extension {

    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
    private final Claim claim;
    private final String key;
    private long token;
    private Duration ttl;

    /** @param key of the lock in Redis */
    Extension(Claim claim, String key, long token, Duration ttl) {
        this.claim = claim;
        this.key = key;
        this.token = token;
        this.ttl = ttl;
    }

    Claim claim() {
        return claim;
    }

    String key() {
        return key;
    }

    long token() {
        return token;
    }

    Duration ttl() {
        return ttl;
    }

    /** Asks for what another wish for the same claim asks for, too. Allowed only while this one has not been sent. */
    void include(Extension other) {
        ttl = other.ttl.compareTo(ttl) > 0 ? other.ttl : ttl;
        token = Math.max(token, other.token);
    }

    CompletableFuture<Boolean> answer() {
        return answer;
    }
}
