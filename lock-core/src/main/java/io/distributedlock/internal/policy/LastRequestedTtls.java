package io.distributedlock.internal.policy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The lease that was last asked for under each lock name, for a thousand of them. */
public final class LastRequestedTtls {

    private static final int MAX_NAMES = 1_000;

    private final Map<String, Duration> byName = new ConcurrentHashMap<>();

    void asked(String lockName, Duration ttl) {
        Duration before = byName.get(lockName);
        if (!ttl.equals(before) && (before != null || byName.size() < MAX_NAMES)) {
            byName.put(lockName, ttl);
        }
    }

    public Map<String, Duration> byName() {
        return Map.copyOf(byName);
    }
}
