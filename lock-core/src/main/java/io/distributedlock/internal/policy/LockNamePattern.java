package io.distributedlock.internal.policy;

import io.distributedlock.LockPolicy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of locks for which a policy counts, {@code *} standing for any text. */
record LockNamePattern(String text, LockPolicy policy, Pattern regex) {

    /** The one that says most about a name first. */
    static final Comparator<LockNamePattern> MOST_EXACT_FIRST = Comparator.comparing(LockNamePattern::isOpen)
            .thenComparing(LockNamePattern::literals, Comparator.reverseOrder())
            .thenComparing(LockNamePattern::text);

    LockNamePattern(String text, LockPolicy policy) {
        this(
                text,
                policy,
                Pattern.compile(
                        Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                        Pattern.DOTALL));
    }

    boolean matches(String lockName) {
        return regex.matcher(lockName).matches();
    }

    private boolean isOpen() {
        return text.indexOf('*') >= 0;
    }

    private int literals() {
        return text.replace("*", "").length();
    }
}
