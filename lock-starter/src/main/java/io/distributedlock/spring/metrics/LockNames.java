package io.distributedlock.spring.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The lock names that have tags of their own. There is room for so many; further names share one tag, so that no
 * mistake can flood a registry.
 */
final class LockNames {

    static final String OTHERS = "(others)";

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final int max;
    private final Consumer<String> first;

    /** @param first receives each tag once, before it is used */
    LockNames(int max, Consumer<String> first) {
        this.max = max;
        this.first = first;
    }

    /** What stands for this name in tags. */
    String tag(String name) {
        if (known.contains(name)) {
            return name;
        }
        String tag = known.size() < max ? name : OTHERS;
        if (known.add(tag)) {
            first.accept(tag);
        }
        return tag;
    }

    Set<String> known() {
        return Set.copyOf(known);
    }
}
