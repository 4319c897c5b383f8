package io.distributedlock.simulation.server;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The commands about keys, their expiries and texts. */
final class KeyCommands {

    private final Supplier<Keyspace> keyspace;
    private final LongSupplier millis;
    private final boolean comparesInSet;

    /** @param comparesInSet whether {@code SET} knows the option {@code IFEQ} */
    KeyCommands(Supplier<Keyspace> keyspace, LongSupplier millis, boolean comparesInSet) {
        this.keyspace = keyspace;
        this.millis = millis;
        this.comparesInSet = comparesInSet;
    }

    void addTo(Map<String, Command> commands) {
        commands.put("GET", (session, words) -> get(words, 2, 2));
        commands.put("GETEX", (session, words) -> get(words, 2, 2));
        commands.put("SET", (session, words) -> set(words));
        commands.put("DEL", (session, words) -> del(words));
        commands.put("PTTL", (session, words) -> keys(words, 2, 2).millisLeft(words[1]));
        commands.put("PEXPIRE", (session, words) -> pexpire(words));
        commands.put("TYPE", (session, words) -> type(words));
        commands.put("DELIFEQ", (session, words) -> delete(words, 3, 2));
        commands.put("DELEX", (session, words) -> {
            if (words.length == 4 && !words[2].equalsIgnoreCase("IFEQ")) {
                throw Refusal.syntax();
            }
            return delete(words, 4, 3);
        });
    }

    /** @throws Refusal if there are too few or too many words */
    private Keyspace keys(String[] words, int fewest, int most) {
        if (words.length < fewest || words.length > most) {
            throw Refusal.arity(words[0]);
        }
        return keyspace.get();
    }

    private @Nullable Object get(String[] words, int fewest, int most) {
        return keys(words, fewest, most).text(words[1]);
    }

    private Object del(String[] words) {
        Keyspace keys = keys(words, 2, Integer.MAX_VALUE);
        long removed = 0;
        for (int i = 1; i < words.length; i++) {
            removed += keys.remove(words[i]) ? 1 : 0;
        }
        return removed;
    }

    private Object type(String[] words) {
        Object value = keys(words, 2, 2).get(words[1]);
        return new Reply.Status(value == null ? "none" : value instanceof String ? "string" : "zset");
    }

    private Object delete(String[] words, int count, int compared) {
        Keyspace keys = keys(words, count, count);
        boolean equal = Objects.equals(keys.text(words[1]), words[compared]);
        return equal && keys.remove(words[1]) ? 1L : 0L;
    }

    private @Nullable Object set(String[] words) {
        Keyspace keys = keys(words, 3, Integer.MAX_VALUE);
        Set<String> flags = new HashSet<>();
        Long expiresAt = null;
        String compared = null;
        for (int i = 3; i < words.length; i++) {
            String option = words[i].toUpperCase(Locale.ROOT);
            boolean last = i + 1 == words.length;
            if (option.equals("PX") && !last && expiresAt == null) {
                i++;
                expiresAt = millis.getAsLong() + positive(words[i]);
            } else if (option.equals("IFEQ") && !last && comparesInSet) {
                i++;
                compared = words[i];
                flags.add(option);
            } else if (List.of("NX", "XX", "KEEPTTL").contains(option)) {
                flags.add(option);
            } else {
                throw Refusal.syntax();
            }
        }
        boolean keeps = flags.remove("KEEPTTL");
        if (flags.size() > 1 || (keeps && expiresAt != null)) {
            throw Refusal.syntax();
        }
        Object before = keys.get(words[1]);
        if (compared != null && before instanceof SortedSet) {
            throw Refusal.wrongType();
        }
        if ((flags.contains("NX") && before != null)
                || (flags.contains("XX") && before == null)
                || (compared != null && !compared.equals(before))) {
            return null;
        }
        if (keeps) {
            keys.replace(words[1], words[2]);
        } else if (expiresAt == null) {
            keys.put(words[1], words[2]);
        } else {
            keys.put(words[1], words[2], expiresAt);
        }
        return Reply.OK;
    }

    private static long positive(String text) {
        long number = number(text);
        if (number <= 0) {
            throw new Refusal("ERR invalid expire time in 'set' command");
        }
        return number;
    }

    static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            throw new Refusal("ERR value is not an integer or out of range");
        }
    }

    private Object pexpire(String[] words) {
        Keyspace keys = keys(words, 3, 4);
        long until = millis.getAsLong() + number(words[2]);
        if (words.length == 4) {
            if (!words[3].equalsIgnoreCase("GT")) {
                throw new Refusal("ERR Unsupported option " + words[3]);
            }
            Long present = keys.expiry(words[1]);
            if (present == null || until <= present) {
                return 0L;
            }
        }
        return keys.expireAt(words[1], until) ? 1L : 0L;
    }
}
