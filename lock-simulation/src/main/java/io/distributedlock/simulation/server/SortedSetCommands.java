package io.distributedlock.simulation.server;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The commands about sorted sets. */
final class SortedSetCommands {

    private static final Set<String> ADDING = Set.of("NX", "XX", "GT", "LT", "CH");

    private final Supplier<Keyspace> keyspace;

    SortedSetCommands(Supplier<Keyspace> keyspace) {
        this.keyspace = keyspace;
    }

    void addTo(Map<String, Command> commands) {
        commands.put("ZADD", (session, words) -> add(words));
        commands.put("ZREM", (session, words) -> remove(words));
        commands.put("ZCARD", (session, words) -> (long) size(set(words, 2, 2)));
        commands.put("ZSCORE", (session, words) -> score(words));
        commands.put("ZRANGE", (session, words) -> range(words));
        commands.put("ZRANGEBYSCORE", (session, words) -> rangeByScore(words));
        commands.put("ZREMRANGEBYSCORE", (session, words) -> removeByScore(words));
        commands.put("ZPOPMIN", (session, words) -> popLowest(words));
    }

    private @Nullable SortedSet set(String[] words, int fewest, int most) {
        if (words.length < fewest || words.length > most) {
            throw Refusal.arity(words[0]);
        }
        return keyspace.get().set(words[1]);
    }

    private static int size(@Nullable SortedSet set) {
        return set == null ? 0 : set.size();
    }

    private Object add(String[] words) {
        if (words.length < 4) {
            throw Refusal.arity(words[0]);
        }
        Set<String> options = new HashSet<>();
        int first = 2;
        while (first < words.length && ADDING.contains(words[first].toUpperCase(Locale.ROOT))) {
            options.add(words[first++].toUpperCase(Locale.ROOT));
        }
        int pairs = words.length - first;
        if (pairs == 0 || pairs % 2 != 0) {
            throw Refusal.syntax();
        }
        if (options.contains("NX") && options.contains("XX")) {
            throw new Refusal("ERR XX and NX options at the same time are not compatible");
        }
        if ((options.contains("GT") && options.contains("LT"))
                || (options.contains("NX") && (options.contains("GT") || options.contains("LT")))) {
            throw new Refusal("ERR GT, LT, and/or NX options at the same time are not compatible");
        }
        for (int i = first; i < words.length; i += 2) {
            decimal(words[i], "ERR value is not a valid float");
        }
        SortedSet present = keyspace.get().set(words[1]);
        SortedSet set = present == null ? new SortedSet() : present;
        long changed = 0;
        for (int i = first; i < words.length; i += 2) {
            changed += add(set, options, decimal(words[i], ""), words[i + 1]);
        }
        if (present == null && set.size() > 0) {
            keyspace.get().put(words[1], set);
        }
        return changed;
    }

    private static int add(SortedSet set, Set<String> options, double score, String name) {
        Double before = set.score(name);
        if (before == null) {
            if (options.contains("XX")) {
                return 0;
            }
            set.put(name, score);
            return 1;
        }
        if (options.contains("NX")
                || (options.contains("GT") && score <= before)
                || (options.contains("LT") && score >= before)) {
            return 0;
        }
        set.put(name, score);
        return options.contains("CH") && score != before ? 1 : 0;
    }

    private Object remove(String[] words) {
        SortedSet set = set(words, 3, Integer.MAX_VALUE);
        long removed = 0;
        for (int i = 2; set != null && i < words.length; i++) {
            removed += set.remove(words[i]) ? 1 : 0;
        }
        dropIfEmpty(words[1], set);
        return removed;
    }

    private void dropIfEmpty(String key, @Nullable SortedSet set) {
        if (set != null && set.size() == 0) {
            keyspace.get().remove(key);
        }
    }

    private @Nullable Object score(String[] words) {
        SortedSet set = set(words, 3, 3);
        Double score = set == null ? null : set.score(words[2]);
        return score == null ? null : SortedSet.text(score);
    }

    private Object range(String[] words) {
        if (words.length < 4) {
            throw Refusal.arity(words[0]);
        }
        long first = KeyCommands.number(words[2]);
        long last = KeyCommands.number(words[3]);
        boolean scores = words.length == 5 && words[4].equalsIgnoreCase("WITHSCORES");
        if (words.length > 4 && !scores) {
            throw Refusal.syntax();
        }
        SortedSet set = keyspace.get().set(words[1]);
        List<SortedSet.Member> all = set == null ? List.of() : set.all();
        int from = (int) Math.max(0, first < 0 ? first + all.size() : first);
        int to = (int) Math.min(all.size() - 1L, last < 0 ? last + all.size() : last);
        return from > to ? List.of() : listed(all.subList(from, to + 1), scores);
    }

    private static List<Object> listed(List<SortedSet.Member> members, boolean scores) {
        List<Object> listed = new ArrayList<>();
        for (SortedSet.Member each : members) {
            listed.add(each.name());
            if (scores) {
                listed.add(SortedSet.text(each.score()));
            }
        }
        return listed;
    }

    private Object rangeByScore(String[] words) {
        if (words.length < 4) {
            throw Refusal.arity(words[0]);
        }
        long skipped = 0;
        long most = Long.MAX_VALUE;
        boolean scores = false;
        for (int i = 4; i < words.length; i++) {
            if (words[i].equalsIgnoreCase("WITHSCORES")) {
                scores = true;
            } else if (words[i].equalsIgnoreCase("LIMIT") && i + 2 < words.length) {
                skipped = KeyCommands.number(words[++i]);
                long limit = KeyCommands.number(words[++i]);
                most = limit < 0 ? Long.MAX_VALUE : limit;
            } else {
                throw Refusal.syntax();
            }
        }
        List<SortedSet.Member> found = between(keyspace.get(), words);
        return listed(found.stream().skip(skipped).limit(most).toList(), scores);
    }

    private Object removeByScore(String[] words) {
        if (words.length != 4) {
            throw Refusal.arity(words[0]);
        }
        List<SortedSet.Member> found = between(keyspace.get(), words);
        SortedSet set = keyspace.get().set(words[1]);
        found.forEach(each -> {
            if (set != null) {
                set.remove(each.name());
            }
        });
        dropIfEmpty(words[1], set);
        return (long) found.size();
    }

    private static List<SortedSet.Member> between(Keyspace keys, String[] words) {
        double lowest = bound(words[2]);
        double highest = bound(words[3]);
        boolean above = words[2].startsWith("(");
        boolean below = words[3].startsWith("(");
        SortedSet set = keys.set(words[1]);
        return set == null
                ? List.of()
                : set.all().stream()
                        .filter(each -> above ? each.score() > lowest : each.score() >= lowest)
                        .filter(each -> below ? each.score() < highest : each.score() <= highest)
                        .toList();
    }

    private static double bound(String text) {
        return decimal(text.startsWith("(") ? text.substring(1) : text, "ERR min or max is not a float");
    }

    private static double decimal(String text, String refusal) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> finite(text, refusal);
        };
    }

    private static double finite(String text, String refusal) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException none) {
            throw new Refusal(refusal);
        }
    }

    private Object popLowest(String[] words) {
        SortedSet set = set(words, 2, 2);
        if (set == null) {
            return List.of();
        }
        SortedSet.Member lowest = set.all().get(0);
        set.remove(lowest.name());
        dropIfEmpty(words[1], set);
        return List.of(lowest.name(), SortedSet.text(lowest.score()));
    }
}
