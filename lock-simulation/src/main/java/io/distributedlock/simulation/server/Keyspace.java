package io.distributedlock.simulation.server;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All keys with their values: a text or a {@link SortedSet}. */
public final class Keyspace {

    private static final long NEVER = Long.MAX_VALUE;

    private final Map<String, Entry> entries = new HashMap<>();
    private final LongSupplier millis;
    private Consumer<String> written = key -> {};

    private static final class Entry {

        private final Object value;
        private final long expiresAt;

        Entry(Object value, long expiresAt) {
            this.value = value;
            this.expiresAt = expiresAt;
        }
    }

    Keyspace(LongSupplier millis) {
        this.millis = millis;
    }

    /** As it is now; later changes of one are none of the other. */
    Keyspace copy() {
        Keyspace copy = new Keyspace(millis);
        copy.written = written;
        entries.forEach((key, entry) -> copy.entries.put(
                key, new Entry(entry.value instanceof SortedSet set ? set.copy() : entry.value, entry.expiresAt)));
        return copy;
    }

    /** @param listener takes each key that gets a value */
    public void onWrite(Consumer<String> listener) {
        written = listener;
    }

    private @Nullable Entry live(String key) {
        Entry entry = entries.get(key);
        if (entry != null && millis.getAsLong() > entry.expiresAt) {
            entries.remove(key);
            return null;
        }
        return entry;
    }

    @Nullable
    Object get(String key) {
        Entry entry = live(key);
        return entry == null ? null : entry.value;
    }

    /** The text of a key; null if there is none, or something else. */
    public @Nullable String peek(String key) {
        return get(key) instanceof String text ? text : null;
    }

    /** The score of a member; null if there is none. */
    public @Nullable Double score(String key, String member) {
        return get(key) instanceof SortedSet set ? set.score(member) : null;
    }

    @Nullable
    String text(String key) {
        Object value = get(key);
        if (value instanceof SortedSet) {
            throw Refusal.wrongType();
        }
        return (String) value;
    }

    @Nullable
    SortedSet set(String key) {
        Object value = get(key);
        if (value instanceof String) {
            throw Refusal.wrongType();
        }
        return (SortedSet) value;
    }

    void put(String key, Object value) {
        entries.put(key, new Entry(value, NEVER));
        written.accept(key);
    }

    void put(String key, Object value, long expiresAt) {
        entries.put(key, new Entry(value, expiresAt));
        written.accept(key);
    }

    /** The same expiry as before. */
    void replace(String key, Object value) {
        Entry before = live(key);
        entries.put(key, new Entry(value, before == null ? NEVER : before.expiresAt));
    }

    boolean remove(String key) {
        boolean present = live(key) != null;
        entries.remove(key);
        return present;
    }

    /** In milliseconds of the server's clock; null if the key never expires, or is absent. */
    @Nullable
    Long expiry(String key) {
        Entry entry = live(key);
        return entry == null || entry.expiresAt == NEVER ? null : (Long) entry.expiresAt;
    }

    boolean expireAt(String key, long instant) {
        Entry entry = live(key);
        if (entry == null) {
            return false;
        }
        if (instant <= millis.getAsLong()) {
            entries.remove(key);
        } else {
            entries.put(key, new Entry(entry.value, instant));
        }
        return true;
    }

    /** -1 if it never expires, -2 if it is absent. */
    public long millisLeft(String key) {
        Entry entry = live(key);
        return entry == null ? -2 : entry.expiresAt == NEVER ? -1 : entry.expiresAt - millis.getAsLong();
    }

    /** The keys that have not expired, in no order: a view, which the next write ends. */
    public Set<String> keys() {
        long now = millis.getAsLong();
        entries.values().removeIf(entry -> now > entry.expiresAt);
        return Collections.unmodifiableSet(entries.keySet());
    }

    void clear() {
        entries.clear();
    }
}
