package io.distributedlock.simulation;

import io.distributedlock.simulation.server.Keyspace;
import io.distributedlock.simulation.server.SimulatedRedis;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the server has of locks, as it is in truth. */
final class StoredLocks {

    private static final String SHARED = "~shared";
    private static final String BEFORE = "lock:{";
    private static final String BEHIND = "}";

    private final SimulatedRedis redis;

    StoredLocks(SimulatedRedis redis) {
        this.redis = redis;
    }

    private static String key(String id) {
        return BEFORE + id + BEHIND;
    }

    static boolean isLock(String key) {
        return key.startsWith(BEFORE) && key.endsWith(BEHIND);
    }

    static String id(String key) {
        return key.substring(BEFORE.length(), key.length() - BEHIND.length());
    }

    /** Who has the lock alone; null if it is free or shared. */
    @Nullable
    String owner(String id) {
        return ownerIn(redis.keyspace().peek(key(id)));
    }

    private static @Nullable String ownerIn(@Nullable String value) {
        return value == null || value.startsWith(SHARED) ? null : value.endsWith("!") ? cut(value) : value;
    }

    private static String cut(String value) {
        return value.substring(0, value.length() - 1);
    }

    boolean has(String id, String owner) {
        String key = key(id);
        String value = redis.keyspace().peek(key);
        if (value == null || !value.startsWith(SHARED)) {
            return owner.equals(ownerIn(value));
        }
        Double ends = redis.keyspace().score(key + ":r", owner);
        return ends != null && ends > redis.millis();
    }

    boolean isTaken(String id) {
        return redis.keyspace().peek(key(id)) != null;
    }

    long millisLeft(String id) {
        return redis.keyspace().millisLeft(key(id));
    }

    /** @param each takes the id and the owner of each lock that is held alone */
    void forEachOwner(BiConsumer<String, String> each) {
        for (String key : redis.keyspace().keys()) {
            String owner = isLock(key) ? ownerIn(redis.keyspace().peek(key)) : null;
            if (owner != null) {
                each.accept(id(key), owner);
            }
        }
    }

    /** All keys but the counter. */
    List<String> keys() {
        Keyspace all = redis.keyspace();
        return all.keys().stream()
                .filter(key -> !key.equals("lock:fence"))
                .sorted()
                .toList();
    }
}
