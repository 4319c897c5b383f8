package io.distributedlock.spring;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells the commonest keys by their looks: {@code #userId}, {@code #request.userId} and {@code 'nightly'}. They are known to be right without
 * SpEL, which would have to be loaded for them while the application starts.
 */
final class KeyForm {

    private static final Pattern PATH = Pattern.compile("(#[a-zA-Z_]\\w*)((?:\\.[a-zA-Z_]\\w*)+)");
    private static final Pattern CONSTANT = Pattern.compile("'([^']*)'");

    /** What SpEL may take for something else than a name. */
    private static final Set<String> WORDS = Set.of(
            "and",
            "or",
            "not",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "div",
            "mod",
            "between",
            "instanceof",
            "matches",
            "new",
            "null",
            "true",
            "false",
            "t");

    private KeyForm() {}

    /** The text of a constant; null if it is none. */
    static @Nullable String constant(String text) {
        Matcher constant = CONSTANT.matcher(text);
        return constant.matches() ? constant.group(1) : null;
    }

    /** Whether it is certainly an argument's property, or the property of a property. */
    static boolean isPath(String text, LockedMethod method) {
        Matcher path = PATH.matcher(text);
        if (!path.matches() || CallScope.argument(path.group(1), method) == null) {
            return false;
        }
        for (String name : text.substring(1).split("\\.")) {
            if (WORDS.contains(name.toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }
}
