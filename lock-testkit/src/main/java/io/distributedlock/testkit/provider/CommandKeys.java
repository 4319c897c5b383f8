package io.distributedlock.testkit.provider;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which arguments of a command are keys: all, none, or, of those that are not listed here, the first. */
final class CommandKeys {
    private static final Set<String> ALL = Set.of("DEL", "EXISTS", "MGET", "TOUCH", "UNLINK");
    private static final Set<String> NONE =
            Set.of("CONFIG", "ECHO", "INFO", "PING", "PUBLISH", "PUBSUB", "ROLE", "SPUBLISH", "TIME");

    private CommandKeys() {}

    static <T> List<T> of(String command, List<T> arguments) {
        if (ALL.contains(command)) {
            return arguments;
        }
        return arguments.subList(0, NONE.contains(command) ? 0 : Math.min(1, arguments.size()));
    }

    /** An expression for how many arguments of the call {@code args} of {@code command} are keys. */
    static String luaCount() {
        return "(" + luaSet(ALL) + "[command] and #args - 1 or " + luaSet(NONE) + "[command] and 0 or 1)";
    }

    private static String luaSet(Set<String> names) {
        return names.stream().sorted().map(name -> name + " = true").collect(Collectors.joining(", ", "({", "})"));
    }
}
